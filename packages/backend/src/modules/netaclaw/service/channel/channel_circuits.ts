import { Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type { NetaClawModelChannelEntity } from '../../entity/model_channel.js';
import { Circuit } from '../../provider/circuit.js';
import { ContextWindow } from '../../provider/context_window.js';
import { tokenMeterFor } from '../../provider/tokenizer.js';
import { requestTokensOf } from './request_tokens.js';

interface Kept {
  version: number;
  name: string;
  circuit: Circuit;
  window: ContextWindow;
}

type Row = Pick<
  NetaClawModelChannelEntity,
  'id' | 'version' | 'name' | 'model' | 'contextWindow' | 'maxOutputTokens'
>;

/** One circuit and one window per channel and process. A channel that was changed starts with a clean record. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawChannelCircuitsService {
  private readonly kept = new Map<number, Kept>();

  of(row: Row): Circuit {
    return this.keptOf(row).circuit;
  }

  /** How much its model takes, as its row says and as its provider taught. */
  windowOf(row: Row): ContextWindow {
    return this.keptOf(row).window;
  }

  /** The channels that are given a rest now. */
  open(): string[] {
    return [...this.kept.values()].filter(({ circuit }) => circuit.isOpen).map(({ name }) => name);
  }

  private keptOf(row: Row): Kept {
    const { id, version, name } = row;
    const known = this.kept.get(id);
    if (known?.version === version) return known;
    const window = new ContextWindow(requestTokensOf(row), () => tokenMeterFor(row.model));
    const kept = { version, name, circuit: new Circuit(), window };
    this.kept.set(id, kept);
    return kept;
  }
}
