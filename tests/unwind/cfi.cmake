# Builds the tests of unwind information made by hand, and damaged.
stack9_test_apart(cfi_step.cc following.cc made_frame.cc)
stack9_test(cfi
	SOURCES
		cfi.cc
		cfi_damage.cc
		cfi_expression.cc
		cfi_program.cc
		cfi_rule.cc
		cfi_section.cc
		cfi_step.cc
		following.cc
		made_frame.cc
		passing.cc
		prologue.cc
		rows_end.cc
		stubs.cc
		table.cc
		truth.cc
	LINK stack9_unwind ${CMAKE_DL_LIBS})
