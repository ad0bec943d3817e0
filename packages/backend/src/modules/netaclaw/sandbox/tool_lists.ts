/** Tools that any computer with files has. */
export const fileTools: readonly string[] = [
  'read_file',
  'write_file',
  'list_dir',
  'patch',
  'search_files',
];

/** Tools of a computer that runs commands and Python. */
export const codeTools: readonly string[] = ['bash', 'python'];

/** Tools that bring files from the server and back. */
export const transferTools: readonly string[] = ['upload_file', 'download_file'];

export const browserTools: readonly string[] = [
  'browser_exec',
  'browser_batch_exec',
  'run_browser_skill',
];

/** From what was executed to a released skill. */
export const lifecycleTools: readonly string[] = [
  'get_execution_history',
  'annotate_execution',
  'create_skill_payload',
  'get_skill_payload',
  'create_skill_candidate',
  'list_skill_candidates',
  'evaluate_skill_candidate',
  'promote_skill_candidate',
  'list_skill_releases',
  'rollback_skill_release',
  'sync_skill_release',
];

/** What every sandbox of a service has. */
export const sandboxTools: readonly string[] = [...codeTools, ...fileTools, ...transferTools];

/** What the prompt says of every sandbox of a service. */
export const SANDBOX_PROMPT =
  '# Sandbox\nCommands and code run in a sandbox of your own, apart from this server and from the person you talk to. Do the work there. A person sees what is in it only when you send it to them. A sandbox that is not used for long may end, and its files with it: when a result says so, tell the person, and make again what is still needed.';
