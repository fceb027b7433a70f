/** The public error codes; category, retryability and the default remedy belong to the code, never to a throw site. */
export const errorTable = {
  invalid_request: {
    category: "invalid_input",
    retryable: true,
    action: "Correct the arguments named in details.issues and call again.",
    restartRequired: false,
  },
  target_unavailable: {
    category: "unavailable",
    retryable: false,
    action: "Open a readable regular file or directory with open_binary.",
    restartRequired: false,
  },
  capability_unavailable: {
    category: "unsupported_provider",
    retryable: false,
    action: "Call binary_session and choose a tool whose availability is true for this target.",
    restartRequired: false,
  },
  provider_unavailable: {
    category: "unavailable",
    retryable: true,
    action: "Call binary_session to see why the provider is unavailable, then call again.",
    restartRequired: false,
  },
  provider_timeout: {
    category: "timeout",
    retryable: true,
    action: "Narrow the request or raise the deadline and call again.",
    restartRequired: false,
  },
  unreadable_output: {
    category: "execution_failure",
    retryable: false,
    action: "Report the provider and operation named in details.",
    restartRequired: false,
  },
  cancelled: {
    category: "cancelled",
    retryable: true,
    action: "Call again when the result is wanted.",
    restartRequired: false,
  },
  cleanup_incomplete: {
    category: "execution_failure",
    retryable: false,
    action: "Release the resources listed in details, or call close_binary to retry.",
    restartRequired: false,
  },
  artifact_integrity_mismatch: {
    category: "integrity_mismatch",
    retryable: false,
    action: "Inspect the named entry, or pass integrity_policy record-and-continue.",
    restartRequired: false,
  },
  artifact_operation_failed: {
    category: "execution_failure",
    retryable: false,
    action: "Check the file named in the request and call again.",
    restartRequired: false,
  },
  evidence_integrity_mismatch: {
    category: "integrity_mismatch",
    retryable: false,
    action: "Produce the record again in this session and use its evidence_id.",
    restartRequired: false,
  },
  truncated: {
    category: "truncated",
    retryable: false,
    action: "Narrow the request, or export the evidence bundle to a file.",
    restartRequired: false,
  },
  process_capture_failed: {
    category: "execution_failure",
    retryable: false,
    action: "Read details.reason and details.partial_observation.",
    restartRequired: false,
  },
  revision_conflict: {
    category: "execution_failure",
    retryable: true,
    action: "Read the latest revision and apply the change to it.",
    restartRequired: false,
  },
  configuration_invalid: {
    category: "execution_failure",
    retryable: false,
    action: "Correct the setting named in details and restart.",
    restartRequired: true,
  },
  unsupported_host: {
    category: "unsupported_provider",
    retryable: false,
    action: "Run the operation on a host that meets details.required.",
    restartRequired: false,
  },
  access_denied: {
    category: "unavailable",
    retryable: false,
    action: "Grant this process access to the resource named in details.",
    restartRequired: false,
  },
  execution_failure: {
    category: "execution_failure",
    retryable: false,
    action: "Report the incident id in details together with the version shown by binary_session.",
    restartRequired: false,
  },
} as const;

export type ErrorCode = keyof typeof errorTable;
export type ErrorCategory = (typeof errorTable)[ErrorCode]["category"];
