# Goes on as a file that is run.
main::go($main::sorted);
