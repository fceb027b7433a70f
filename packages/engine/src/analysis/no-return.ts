/**
 * Library functions that do not come back to their caller, by their documented names: ISO C and POSIX, the GNU and BSD
 * C libraries, the Itanium C++ ABI runtime, Microsoft's C runtime and Win32, Objective-C and Swift runtimes.
 */
const names = new Set([
  "exit",
  "_exit",
  "_Exit",
  "quick_exit",
  "abort",
  "longjmp",
  "_longjmp",
  "siglongjmp",
  "__longjmp_chk",
  "pthread_exit",
  "thrd_exit",
  "__stack_chk_fail",
  "__stack_chk_fail_local",
  "__fortify_fail",
  "__chk_fail",
  "__assert",
  "__assert2",
  "__assert_fail",
  "__assert_perror_fail",
  "__assert_rtn",
  "__libc_start_main",
  "__libc_fatal",
  "err",
  "errx",
  "errc",
  "verr",
  "verrx",
  "g_assertion_message",
  "g_assertion_message_expr",
  "__cxa_throw",
  "__cxa_rethrow",
  "__cxa_bad_cast",
  "__cxa_bad_typeid",
  "__cxa_throw_bad_array_new_length",
  "__cxa_throw_bad_array_length",
  "__cxa_pure_virtual",
  "__cxa_deleted_virtual",
  "__cxa_call_unexpected",
  "__cxa_call_terminate",
  "_Unwind_Resume",
  "_ZSt9terminatev",
  "_ZSt10unexpectedv",
  "__clang_call_terminate",
  "ExitProcess",
  "ExitThread",
  "FatalAppExitA",
  "FatalAppExitW",
  "FatalExit",
  "FreeLibraryAndExitThread",
  "RtlExitUserThread",
  "RtlExitUserProcess",
  "_CxxThrowException",
  "terminate",
  "_invoke_watson",
  "_invalid_parameter_noinfo_noreturn",
  "_amsg_exit",
  "__report_gsfailure",
  "__report_rangecheckfailure",
  "_assert",
  "_wassert",
  "objc_exception_throw",
  "objc_terminate",
  "swift_unexpectedError",
  "swift_errorInMain",
]);

/** The throwing helpers of the GNU and LLVM C++ libraries: `std::__throw_bad_alloc()` and its kin. */
const throwHelper = /^_ZN?(?:St|St3__1|St6__ndk1)\d+__throw_/;

/** True for the name of a library function that never returns; version suffixes and one extra underscore are allowed. */
export function neverReturns(name: string): boolean {
  const plain = name.split("@", 1)[0] ?? name;
  return names.has(plain) || (plain.startsWith("_") && names.has(plain.slice(1))) || throwHelper.test(plain);
}
