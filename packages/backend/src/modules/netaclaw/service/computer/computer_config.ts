import { booterKinds, type AgentConfig, type BooterKind } from '@netaclaw/contracts';

/** What of an agent says where its computer is, and how many it may have. */
export type ComputerConfig = Pick<AgentConfig, 'runtime' | 'sandbox'> &
  Partial<Pick<AgentConfig, 'name' | 'limits'>>;

/** The kind of computer that an agent asks for; null: none. */
export function kindOf({ runtime, sandbox }: ComputerConfig): BooterKind | null {
  switch (runtime) {
    case 'none':
      return null;
    case 'local':
      return booterKinds.local;
    case 'sandbox':
      return sandbox?.driver ?? null;
    default:
      return runtime satisfies never;
  }
}

/** The profile that an agent asks for; null: its service chooses. */
export const profileOf = ({ runtime, sandbox }: ComputerConfig): string | null =>
  runtime === 'sandbox' ? (sandbox?.profile ?? null) : null;

/** Sandboxes that an agent may have at the same time, unless it says otherwise. */
const DEFAULT_MOST = 20;

export const mostSandboxesOf = ({ limits }: ComputerConfig): number =>
  limits?.maxSandboxes ?? DEFAULT_MOST;
