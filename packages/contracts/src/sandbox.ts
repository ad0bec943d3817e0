import { z } from 'zod';

/** Where an agent's shell and files live. */
export const runtimeSchema = z.enum(['none', 'local', 'sandbox']);
export type Runtime = z.infer<typeof runtimeSchema>;

/** The kinds of computer, each with one booter. The strings stand nowhere else. */
export const booterKindSchema = z.enum(['local', 'shipyard', 'shipyard_neo', 'boxlite']);
export type BooterKind = z.infer<typeof booterKindSchema>;

/** The kinds an agent may name in `sandbox.driver`. */
export const sandboxDriverSchema = booterKindSchema.exclude(['local']);
export type SandboxDriver = z.infer<typeof sandboxDriverSchema>;

/** What a computer can do for a tool. */
export const computerCapabilitySchema = z.enum(['shell', 'python', 'filesystem', 'browser']);
export type ComputerCapability = z.infer<typeof computerCapabilitySchema>;
