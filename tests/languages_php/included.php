<?php
// Goes on as a file that is included.
return go($n);
