// Lists the members and the sizes that are looked for in HotSpot's tables, by
// the names that JDK 8 to 28 have given them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "layout_names.h"

namespace stack9::languages::java {

// Some members have had several names, or several places.
const std::map<std::string_view, address_member> &
named_addresses()
{
	static const std::map<std::string_view, address_member> all{
	    {"Abstract_VM_Version::_vm_major_version", &layout::version},
	    {"ThreadsSMRSupport::_java_thread_list", &layout::threads},
	    {"Threads::_thread_list", &layout::first_thread},
	    {"CodeCache::_heaps", &layout::code_heaps},
	    {"CodeCache::_heap", &layout::code_heap},
	    {"StubRoutines::_call_stub_return_address",
	    &layout::call_stub_return},
	    {"StubRoutines::_cont_returnBarrier", &layout::return_barrier},
	    {"ContinuationEntry::_return_pc", &layout::entry_return},
	    {"Universe::_narrow_oop._base", &layout::oop_base},
	    {"Universe::_narrow_oop._shift", &layout::oop_shift},
	    {"CompressedOops::_narrow_oop._base", &layout::oop_base},
	    {"CompressedOops::_narrow_oop._shift", &layout::oop_shift},
	    {"CompressedOops::_base", &layout::oop_base},
	    {"CompressedOops::_shift", &layout::oop_shift},
	    {"Universe::_narrow_klass._base", &layout::class_base},
	    {"Universe::_narrow_klass._shift", &layout::class_shift},
	    {"CompressedKlassPointers::_narrow_klass._base",
	    &layout::class_base},
	    {"CompressedKlassPointers::_narrow_klass._shift",
	    &layout::class_shift},
	    {"CompressedKlassPointers::_base", &layout::class_base},
	    {"CompressedKlassPointers::_shift", &layout::class_shift},
	    {"ZGlobalsForVMStructs::_instance_p", &layout::zgc},
	};
	return all;
}

const std::map<std::string_view, offset_member> &
named_offsets()
{
	static const std::map<std::string_view, offset_member> all{
	    {"ThreadsList::_length", &layout::list_length},
	    {"ZGlobalsForVMStructs::_ZPointerLoadBadMask",
	    &layout::zgc_bad_mask},
	    {"ZGlobalsForVMStructs::_ZPointerLoadShift",
	    &layout::zgc_shift},
	    {"ThreadsList::_threads", &layout::list_threads},
	    {"JavaThread::_next", &layout::next_thread},
	    {"JavaThread::_osthread", &layout::osthread},
	    {"Thread::_osthread", &layout::osthread},
	    {"OSThread::_thread_id", &layout::thread_id},
	    {"OSThread::_pthread_id", &layout::pthread_id},
	    {"JavaThread::_anchor", &layout::anchor},
	    {"JavaThread::_threadObj", &layout::thread_object},
	    {"JavaThread::_vthread", &layout::virtual_thread},
	    {"Thread::_current_pending_monitor", &layout::pending_monitor},
	    {"JavaThread::_current_pending_monitor",
	    &layout::pending_monitor},
	    {"JavaThread::_stack_base", &layout::stack_base},
	    {"JavaThread::_stack_size", &layout::stack_size},
	    {"Thread::_stack_base", &layout::stack_base},
	    {"Thread::_stack_size", &layout::stack_size},
	    {"JavaThread::_lock_stack", &layout::lock_stack},
	    {"LockStack::_top", &layout::lock_stack_top},
	    {"LockStack::_base[0]", &layout::lock_stack_base},
	    {"JavaThread::_monitor_owner_id", &layout::owner_id},
	    {"ObjectMonitor::_owner", &layout::monitor_owner},
	    {"ObjectMonitor::_object", &layout::monitor_object},
	    {"Klass::_super", &layout::superclass},
	    {"JavaFrameAnchor::_last_Java_sp", &layout::last_sp},
	    {"JavaFrameAnchor::_last_Java_pc", &layout::last_pc},
	    {"JavaFrameAnchor::_last_Java_fp", &layout::last_fp},
	    {"JavaCallWrapper::_anchor", &layout::wrapper_anchor},
	    {"JavaThread::_cont_entry", &layout::continuation},
	    {"GenericGrowableArray::_len", &layout::array_length},
	    {"GrowableArrayBase::_len", &layout::array_length},
	    {"GrowableArray<int>::_data", &layout::array_data},
	    {"CodeHeap::_memory", &layout::memory},
	    {"CodeHeap::_segmap", &layout::segment_map},
	    {"CodeHeap::_log2_segment_size", &layout::segment_shift},
	    {"VirtualSpace::_low", &layout::low},
	    {"VirtualSpace::_high", &layout::high},
	    {"CodeBlob::_name", &layout::blob_name},
	    {"CodeBlob::_size", &layout::blob_size},
	    {"CodeBlob::_frame_size", &layout::frame_size},
	    {"CodeBlob::_frame_complete_offset", &layout::frame_complete},
	    {"CodeBlob::_code_begin", &layout::code_begin},
	    {"CodeBlob::_code_offset", &layout::code_offset},
	    {"CodeBlob::_relocation_size", &layout::relocation_size},
	    {"CodeBlob::_mutable_data", &layout::mutable_data},
	    {"CodeBlob::_data_offset", &layout::blob_data},
	    {"nmethod::_method", &layout::compiled_method},
	    {"CompiledMethod::_method", &layout::compiled_method},
	    {"CompiledMethod::_scopes_data_begin", &layout::scopes_data_begin},
	    {"nmethod::_scopes_data_offset", &layout::scopes_data},
	    {"nmethod::_scopes_pcs_offset", &layout::scopes_pcs},
	    {"nmethod::_dependencies_offset", &layout::dependencies},
	    {"nmethod::_metadata_offset", &layout::metadata},
	    {"nmethod::_immutable_data", &layout::immutable_data},
	    {"nmethod::_orig_pc_offset", &layout::original_pc},
	    {"CompiledMethod::_deopt_handler_begin", &layout::deopt_begin},
	    {"CompiledMethod::_deopt_mh_handler_begin",
	    &layout::deopt_mh_begin},
	    {"nmethod::_deoptimize_offset", &layout::deopt},
	    {"nmethod::_deopt_handler_offset", &layout::deopt},
	    {"nmethod::_deopt_handler_entry_offset", &layout::deopt},
	    {"nmethod::_deoptimize_mh_offset", &layout::deopt_mh},
	    {"nmethod::_deopt_mh_handler_offset", &layout::deopt_mh},
	    {"Method::_constMethod", &layout::const_method},
	    {"Method::_access_flags", &layout::access_flags},
	    {"ConstMethod::_constants", &layout::constants},
	    {"ConstMethod::_flags", &layout::method_flags},
	    {"ConstMethod::_flags._flags", &layout::method_flags},
	    {"ConstMethod::_code_size", &layout::method_code_size},
	    {"ConstMethod::_name_index", &layout::name_index},
	    {"ConstantPool::_pool_holder", &layout::pool_holder},
	    {"ConstantPool::_length", &layout::pool_length},
	    {"ConstantPool::_source_file_name_index", &layout::pool_file},
	    {"InstanceKlass::_source_file_name_index", &layout::class_file},
	    {"Klass::_name", &layout::class_name},
	    {"Symbol::_length", &layout::symbol_length},
	    {"Symbol::_length_and_refcount", &layout::symbol_counted_length},
	    {"Symbol::_body", &layout::symbol_body},
	    {"Symbol::_body[0]", &layout::symbol_body},
	};
	return all;
}

const std::map<std::string_view, offset_member> &
named_sizes()
{
	static const std::map<std::string_view, offset_member> all{
	    {"ConstMethod", &layout::sizeof_const_method},
	    {"ConstantPool", &layout::sizeof_pool},
	    {"HeapBlock", &layout::sizeof_block},
	    {"ContinuationEntry", &layout::sizeof_continuation},
	};
	return all;
}

} // namespace stack9::languages::java
