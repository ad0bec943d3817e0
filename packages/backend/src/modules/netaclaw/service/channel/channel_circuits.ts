import { Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type { NetaClawModelChannelEntity } from '../../entity/model_channel.js';
import { Circuit } from '../../provider/circuit.js';

interface Kept {
  version: number;
  name: string;
  circuit: Circuit;
}

/** One circuit per channel and process. A channel that was changed starts with a clean record. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawChannelCircuitsService {
  private readonly kept = new Map<number, Kept>();

  of({ id, version, name }: Pick<NetaClawModelChannelEntity, 'id' | 'version' | 'name'>): Circuit {
    const known = this.kept.get(id);
    if (known?.version === version) return known.circuit;
    const circuit = new Circuit();
    this.kept.set(id, { version, name, circuit });
    return circuit;
  }

  /** The channels that are given a rest now. */
  open(): string[] {
    return [...this.kept.values()].filter(({ circuit }) => circuit.isOpen).map(({ name }) => name);
  }
}
