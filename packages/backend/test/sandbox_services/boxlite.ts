import { shipCall, shipTransfer } from './ship.js';
import { StandIn, type SeenRequest, type StandInAnswer } from './stand_in.js';
import { StandInWorkspace } from './workspace.js';

/** A Boxlite container's own server, from its wire facts: one container, a folder for each session. */
export class BoxliteStandIn extends StandIn {
  private readonly workspaces = new Map<string, Promise<StandInWorkspace>>();

  override async close(): Promise<void> {
    await super.close();
    const made = await Promise.all(this.workspaces.values());
    await Promise.all(made.map((workspace) => workspace.remove()));
  }

  protected async answer(request: SeenRequest): Promise<StandInAnswer> {
    const { path, headers, body } = request;
    if (path === '/health') return { status: 200, body: { status: 'healthy' } };
    const session = headers['x-session-id'];
    if (typeof session !== 'string')
      return { status: 400, body: { detail: 'X-SESSION-ID is missing' } };
    const workspace = await this.workspaceOf(session);
    if (path === '/upload' || path === '/download') return shipTransfer(workspace, request);
    try {
      return {
        status: 200,
        body: await shipCall(workspace, path.slice(1), { payload: body, longestSeconds: 300 }),
      };
    } catch {
      return { status: 404, body: { detail: `File not found: ${body.path}` } };
    }
  }

  private workspaceOf(session: string): Promise<StandInWorkspace> {
    const workspace = this.workspaces.get(session) ?? StandInWorkspace.make();
    this.workspaces.set(session, workspace);
    return workspace;
  }
}
