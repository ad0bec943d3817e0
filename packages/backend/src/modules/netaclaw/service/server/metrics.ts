import type { LiveSandbox } from '@netaclaw/contracts';
import { Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RunOutcome } from '../../runtime/agent_loop.js';

/** Where figures of the moment come from. */
export interface MetricSources {
  activeRuns(): number;
  /** Names of channels. */
  openCircuits(): string[];
}

/** The server's figures, in the Prometheus form. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawMetricsService {
  private readonly registry = new Registry();
  private readonly runs = new Counter({
    name: 'netaclaw_runs_total',
    help: 'Runs that have ended, by status.',
    labelNames: ['status'],
    registers: [this.registry],
  });
  private readonly duration = new Histogram({
    name: 'netaclaw_run_duration_seconds',
    help: 'How long runs took.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800],
    registers: [this.registry],
  });
  private readonly toolCalls = new Counter({
    name: 'netaclaw_tool_calls_total',
    help: 'Tool calls, by result.',
    labelNames: ['status'],
    registers: [this.registry],
  });
  private readonly tokens = new Counter({
    name: 'netaclaw_tokens_total',
    help: 'Tokens that models reported, by direction.',
    labelNames: ['direction'],
    registers: [this.registry],
  });
  private readonly active = new Gauge({
    name: 'netaclaw_runs_active',
    help: 'Runs under way in this process.',
    registers: [this.registry],
  });

  private readonly openCircuits = new Gauge({
    name: 'netaclaw_channel_circuit_open',
    help: 'Model channels that are given a rest after failures in a row.',
    labelNames: ['channel'],
    registers: [this.registry],
  });

  private readonly sandboxes = new Gauge({
    name: 'netaclaw_sandboxes',
    help: 'Computers of sessions in this process, by driver and status.',
    labelNames: ['driver', 'status'],
    registers: [this.registry],
  });
  private readonly boots = new Counter({
    name: 'netaclaw_sandbox_boots_total',
    help: 'Boots of computers, by driver and result.',
    labelNames: ['driver', 'result'],
    registers: [this.registry],
  });
  private readonly bootDuration = new Histogram({
    name: 'netaclaw_sandbox_boot_seconds',
    help: 'How long boots of computers took that went well.',
    labelNames: ['driver'],
    buckets: [0.01, 0.1, 0.5, 1, 5, 15, 30, 60, 120],
    registers: [this.registry],
  });
  private readonly lost = new Counter({
    name: 'netaclaw_sandboxes_lost_total',
    help: 'Sandboxes that had ended while their session went on, by driver.',
    labelNames: ['driver'],
    registers: [this.registry],
  });

  /** Begins to collect; what is asked for is asked when the figures are read. */
  start({ activeRuns, openCircuits }: MetricSources): void {
    collectDefaultMetrics({ register: this.registry });
    Object.assign(this.active, { collect: () => this.active.set(activeRuns()) });
    Object.assign(this.openCircuits, {
      collect: () => {
        this.openCircuits.reset();
        for (const channel of openCircuits()) this.openCircuits.set({ channel }, 1);
      },
    });
  }

  /** A figure of the moment from outside the services, asked for when the figures are read. */
  addGauge({ name, help, read }: { name: string; help: string; read: () => number }): void {
    const gauge = new Gauge({ name, help, registers: [this.registry] });
    Object.assign(gauge, { collect: () => gauge.set(read()) });
  }

  /** Where the figures of sandboxes come from. */
  watchSandboxes(live: () => readonly LiveSandbox[]): void {
    Object.assign(this.sandboxes, {
      collect: () => {
        this.sandboxes.reset();
        for (const { driver, status } of live()) this.sandboxes.inc({ driver, status });
      },
    });
  }

  sandboxBooted(driver: string, wentWell: boolean, durationMs: number): void {
    this.boots.inc({ driver, result: wentWell ? 'ok' : 'failed' });
    if (wentWell) this.bootDuration.observe({ driver }, durationMs / 1000);
  }

  sandboxLost(driver: string): void {
    this.lost.inc({ driver });
  }

  runEnded({ status, toolCalls, usage }: RunOutcome, durationMs: number): void {
    this.runs.inc({ status });
    this.duration.observe(durationMs / 1000);
    for (const call of toolCalls) this.toolCalls.inc({ status: call.status });
    this.tokens.inc({ direction: 'in' }, usage.inputTokens);
    this.tokens.inc({ direction: 'out' }, usage.outputTokens);
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  get contentType(): string {
    return this.registry.contentType;
  }
}
