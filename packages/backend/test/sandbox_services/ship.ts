import type { Json } from '../json.js';
import type { SeenRequest, StandInAnswer } from './stand_in.js';
import type { StandInWorkspace } from './workspace.js';

/** What Shipyard's ships and Boxlite's containers answer alike: the body of one call. */
export async function shipCall(
  workspace: StandInWorkspace,
  type: string,
  { payload, longestSeconds }: { payload: Json; longestSeconds: number },
): Promise<Json> {
  const seconds = Math.min(payload.timeout ?? 30, longestSeconds);
  switch (type) {
    case 'shell/exec': {
      const ran = await workspace.shell(payload.command, seconds);
      if (ran.timedOut)
        return {
          success: false,
          return_code: null,
          stdout: '',
          stderr: '',
          pid: 1,
          error: 'Command timed out',
        };
      const { code, stdout, stderr } = ran;
      return { success: code === 0, return_code: code, stdout, stderr, pid: 1, error: null };
    }
    case 'ipython/exec': {
      const ran = await workspace.python(payload.code, seconds);
      const output = { text: ran.stdout, images: [] };
      const error = ran.timedOut ? 'Execution timed out' : ran.stderr || null;
      return { success: ran.code === 0, execution_count: 1, output, error };
    }
    case 'fs/write_file':
      await workspace.write(payload.path, payload.content);
      return { success: true, path: payload.path };
    case 'fs/delete_file':
      await workspace.delete(payload.path);
      return { success: true, path: payload.path };
    case 'fs/list_dir': {
      const files = await workspace.list(payload.path);
      return {
        success: true,
        current_path: payload.path,
        files: files.map(({ isFile, ...rest }) => ({
          ...rest,
          type: isFile ? 'file' : 'directory',
        })),
      };
    }
    default:
      throw new Error(`no such call: ${type}`);
  }
}

/** Upload and download, alike in both. */
export async function shipTransfer(
  workspace: StandInWorkspace,
  { path, query, body }: SeenRequest,
): Promise<StandInAnswer> {
  try {
    if (path.endsWith('/upload')) {
      await workspace.write(body.file_path, body.file);
      return { status: 200, body: { success: true, file_path: body.file_path } };
    }
    return { status: 200, bytes: await workspace.read(query.get('file_path') ?? '') };
  } catch {
    return { status: 404, body: { detail: 'File not found' } };
  }
}
