import type { Protocol } from '@netaclaw/contracts';
import type { OfferedTool } from '../port.js';
import { schemaFitter } from './wire_schema.js';

/** How one tool fares with a protocol's providers. */
export interface FitVerdict {
  /** Why they would refuse it, with the keyword; null when they would not. */
  problem: string | null;
  /** The name they would know it by; two tools cannot share one. */
  wireName: string;
}

/** What a protocol's providers take of a tool. Worked out once per tool. */
export type ToolFit = (tool: OfferedTool) => FitVerdict;

/** OpenAI takes any name of a property. */
export const fitOpenAiSchema = schemaFitter({ propertyName: null });

/** Anthropic answers 400 for other names of properties. */
export const fitAnthropicSchema = schemaFitter({ propertyName: /^[a-zA-Z0-9_.-]{1,64}$/ });

type SchemaFitter = ReturnType<typeof schemaFitter>;

const LEGAL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Names of functions have up to 64 of these characters; what the catalog admits is legal as it is. */
export const wireName = (name: string): string =>
  LEGAL_NAME.test(name) ? name : name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);

const fits: Record<Protocol, ToolFit | null> = {
  openai_chat: fitOf(fitOpenAiSchema),
  openai_responses: fitOf(fitOpenAiSchema),
  anthropic_messages: fitOf(fitAnthropicSchema),
  rehearsal: null,
};

/** What the providers of a protocol take; null for the rehearsal, which takes anything. */
export const toolFitOf = (protocol: Protocol): ToolFit | null => fits[protocol];

function fitOf(fitter: SchemaFitter): ToolFit {
  const kept = new WeakMap<OfferedTool, FitVerdict>();
  return (tool) => {
    const known = kept.get(tool);
    if (known) return known;
    const verdict = { problem: problemOf(tool, fitter), wireName: wireName(tool.name) };
    kept.set(tool, verdict);
    return verdict;
  };
}

function problemOf(tool: OfferedTool, fitter: SchemaFitter): string | null {
  try {
    const fitted = fitter(tool.parameters);
    return fitted.ok ? null : fitted.problem;
  } catch (error) {
    // Parameters are converted when they are first read; one that cannot be must not stop the others.
    return `its parameters cannot be described (${error instanceof Error ? error.message : String(error)})`;
  }
}
