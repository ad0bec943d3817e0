import { shipCall, shipTransfer } from './ship.js';
import { StandIn, type SeenRequest, type StandInAnswer } from './stand_in.js';
import { StandInWorkspace } from './workspace.js';

export const SHIPYARD_TOKEN = 'ship-token-0001';

interface Ship {
  id: string;
  status: number;
  expiresAt: number;
  workspace: StandInWorkspace;
}

/** Shipyard, the service before Neo, from its wire facts. */
export class ShipyardStandIn extends StandIn {
  readonly ships = new Map<string, Ship>();
  /** Its own limit for whatever is run. */
  longestSeconds = 30;
  private made = 0;

  get last(): Ship {
    const ship = [...this.ships.values()].at(-1);
    if (!ship) throw new Error('the stand-in has no ship');
    return ship;
  }

  override async close(): Promise<void> {
    await super.close();
    await Promise.all([...this.ships.values()].map(({ workspace }) => workspace.remove()));
  }

  protected async answer(request: SeenRequest): Promise<StandInAnswer> {
    const { method, path, headers, body } = request;
    if (path === '/health') return { status: 200, body: { status: 'healthy' } };
    if (headers.authorization !== `Bearer ${SHIPYARD_TOKEN}`)
      return { status: 401, body: { detail: 'Invalid token' } };
    if (path === '/ship' && method === 'POST') return this.create(body.ttl);
    const [, id = '', action = ''] = /^\/ship\/([^/]+)(.*)$/.exec(path) ?? [];
    const ship = this.ships.get(id);
    if (!ship) return { status: 404, body: { detail: 'Ship not found' } };
    if (action === '' && method === 'DELETE') {
      this.ships.delete(id);
      await ship.workspace.remove();
      return { status: 204 };
    }
    if (action === '') return { status: 200, body: this.view(ship) };
    if (action === '/extend-ttl') {
      ship.expiresAt = Date.now() + body.ttl * 1000;
      return { status: 200, body: this.view(ship) };
    }
    if (action !== '/exec') return shipTransfer(ship.workspace, request);
    return this.exec(ship, body);
  }

  private async create(ttl: number): Promise<StandInAnswer> {
    const id = `ship-${++this.made}`;
    const workspace = await StandInWorkspace.make();
    const ship = { id, status: 1, expiresAt: Date.now() + ttl * 1000, workspace };
    this.ships.set(id, ship);
    return { status: 201, body: this.view(ship) };
  }

  private async exec(
    { workspace }: Ship,
    { type, payload }: { type: string; payload: unknown },
  ): Promise<StandInAnswer> {
    try {
      const data = await shipCall(workspace, type, {
        payload,
        longestSeconds: this.longestSeconds,
      });
      return { status: 200, body: { success: true, data, error: null } };
    } catch {
      return { status: 200, body: { success: false, data: {}, error: 'File not found' } };
    }
  }

  /** Its times have no zone. */
  private view({ id, status, expiresAt }: Ship) {
    const expires = new Date(expiresAt).toISOString().replace('Z', '');
    return {
      id,
      status,
      created_at: expires,
      container_id: 'c1',
      ip_address: '',
      ttl: 1,
      expires_at: expires,
    };
  }
}
