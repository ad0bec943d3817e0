import type { Capability, ToolsetName, Visibility } from '@netaclaw/contracts';
import type { z } from 'zod';
import type { Clock, ToolCallContext, ToolOutput } from '../runtime/port.js';
import type { ToolScene } from '../runtime/tools/governed_tool.js';
import type { Computer } from '../sandbox/components.js';
import type { SaveSkillDraft } from '../sandbox/skill_release.js';

/** What the code says about a tool. Nothing here is an operator's to change. */
export interface ToolSchema {
  name: string;
  toolset: ToolsetName;
  /** What the model is told, unless an operator wrote something better. */
  description: string;
  /** A zod object; exported to the model as JSON Schema. */
  parameters: z.ZodObject;
  /** Default `tool`. */
  visibility?: Visibility;
  /** Default `text`. */
  capability?: Capability;
  isCore?: boolean;
  /** Default: only when it is not core. */
  canDisable?: boolean;
  /** Whether an operator's prompt hint replaces `promptHint` in the tools layer. Default: when there is one. */
  supportsPromptHint?: boolean;
  /** Default guidance for the tools layer. Names no other tool: it may not be there. */
  promptHint?: string;
  scene?: ToolScene;
  adminOnly?: boolean;
}

/** A task for a member of the crew that a run leads. */
export interface DelegatedTask {
  member: string;
  task: string;
  context: string | null;
  expectedOutput: string | null;
}

/** Has a member do a task and answers with what came of it; what goes wrong is an error result. */
export type Delegate = (task: DelegatedTask, call: ToolCallContext) => Promise<ToolOutput>;

/** What an agent remembers of the user it works for. What cannot be done is a result that says why. */
export interface MemoryStore {
  /** `replaces`: the id of an entry that this one takes the place of. */
  save(text: string, replaces: number | null): Promise<ToolOutput>;
  search(query: string, limit: number): Promise<ToolOutput>;
  forget(ids: readonly number[]): Promise<ToolOutput>;
}

/** What came of reading a skill: its text and the files beside it, or why there is none. */
export type SkillReading =
  { found: true; text: string; files: readonly string[] } | { found: false; problem: string };

/** The skills that an agent gets in its situation, and no others. */
export interface SkillShelf {
  list(): readonly { name: string; description: string }[];
  /** `file` null: the skill itself, without its front matter. */
  read(name: string, file: string | null): Promise<SkillReading>;
}

/** What a running agent hands to its tools. Made once for a run; nothing here reaches a database. */
export interface RunFacilities {
  sessionId: string;
  runId: string;
  clock: Clock;
  /** The session's computer; booted at the first call. Throws `ComputerError`. */
  computer(signal: AbortSignal): Promise<Computer>;
  /** What is to be told of the session's computer, once: that files are gone, for example. */
  takeNotice?(): string | null;
  /** Null: this run leads no crew. */
  delegate: Delegate | null;
  memory: MemoryStore;
  skills: SkillShelf;
  /** The files of the person whose session it is. */
  files?: RunFiles;
  /** Drafts a skill that was made in a sandbox into the skill store; null: there is no store. */
  saveSkillDraft?: SaveSkillDraft | null;
}

/** A file in the server's store, under a name that the server made. */
export interface KeptFile {
  fileId: string;
  /** What people call it. */
  name: string;
  size: number;
  mime: string;
}

/** The files of one person, as far as their runs reach them. */
export interface RunFiles {
  /** By id, or the newest by its name; null: there is none. */
  find(nameOrId: string): Promise<{ name: string; path: string; size: number } | null>;
  /** Keeps what `fill` writes to the path it is given. Only the person can open it. */
  keep(name: string, fill: (serverPath: string) => Promise<void>): Promise<KeptFile>;
  /** Shows it to the person in the run's events, and answers the link. */
  send(file: KeptFile): string;
}

/** A tool's behaviour: gets arguments that fit its schema. May throw; the loop makes that an error result. */
export type ExecuteTool<P extends z.ZodObject> = (
  input: z.output<P>,
  context: ToolCallContext,
) => Promise<ToolOutput>;

/** A tool in one place: what it declares and how it is built. The default export of a file in `builtin/`. */
export interface ToolDefinition<P extends z.ZodObject = z.ZodObject> {
  schema: ToolSchema & { parameters: P };
  /** Never beside other calls of the same answer. */
  sequential?: boolean;
  /** Milliseconds; the smallest limit that applies counts. */
  timeoutMs?: number;
  /** Bytes of a result that reach the model; without it the limit of all tools. */
  maxResultBytes?: number;
  create(facilities: RunFacilities): ExecuteTool<P>;
}

/** A definition with its parameters' type forgotten, as the catalog keeps it. */
export interface AnyToolDefinition {
  schema: ToolSchema;
  sequential?: boolean;
  timeoutMs?: number;
  maxResultBytes?: number;
  create(
    facilities: RunFacilities,
  ): (input: never, context: ToolCallContext) => Promise<ToolOutput>;
}

/** Gives a definition its types: the arguments of `create`'s function are those of `schema.parameters`. */
export const defineTool = <P extends z.ZodObject>(
  definition: ToolDefinition<P>,
): ToolDefinition<P> => definition;

/** What a source is asked about: one agent's session. */
export interface Situation {
  sessionId: string | null;
}

/**
 * Code that declares tools and builds them. `declare` is asked once at start: from the source's kind
 * alone, rather too many than too few, no network, no heavy import. `offer` is asked per run: the exact
 * names for this session, or null while the source is not up, which means "use the declaration". An
 * empty list means "nothing", and the two are never confused.
 */
export interface ToolSource {
  readonly name: string;
  declare(): readonly AnyToolDefinition[];
  offer(situation: Situation): readonly string[] | null;
  /** Tools that cannot work now, by name, with the sentence that says why and what to do. */
  unavailable(): ReadonlyMap<string, string>;
}
