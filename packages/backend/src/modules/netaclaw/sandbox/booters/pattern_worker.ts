import { Worker } from 'node:worker_threads';
import { ComputerError } from '../components.js';

/** A line of a text that fits the pattern. */
export interface LineMatch {
  /** 1-based. */
  line: number;
  text: string;
}

interface Question {
  text: string;
  most: number;
}

interface PatternRequest {
  pattern: string;
  literal: boolean;
  ignoreCase: boolean;
}

/** How long one text may take; an ordinary pattern needs a few milliseconds. */
const TEXT_MS = 3000;

/**
 * Looks for a pattern in texts, on a thread of its own: a pattern written by a model can take forever,
 * and a thread can be ended. Close it when done.
 */
export class PatternWorker {
  private readonly worker: Worker;
  private failure: ComputerError | null = null;

  constructor(request: PatternRequest) {
    const expression = toExpression(request);
    this.worker = new Worker(`(${answerQuestions.toString()})(require('node:worker_threads'))`, {
      eval: true,
      env: {},
      workerData: { source: expression.source, flags: expression.flags },
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    this.worker.unref();
    this.worker.on('error', (error) => {
      this.failure = new ComputerError('failed', `The search broke down: ${error.message}.`);
    });
  }

  /** Lines that fit, at most `most`. Throws `ComputerError` when the pattern takes too long. */
  async find(question: Question): Promise<LineMatch[]> {
    if (this.failure !== null) throw this.failure;
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        this.worker.removeAllListeners('message');
        this.worker.removeListener('exit', onExit);
        act();
      };
      const onExit = (): void => settle(() => reject(this.failure ?? tooSlow()));
      const timer = setTimeout(() => void this.close(), TEXT_MS);
      this.worker.once('exit', onExit);
      this.worker.once('message', (found: LineMatch[]) => settle(() => resolve(found)));
      this.worker.postMessage(question, []);
    });
  }

  /** Ends the thread, whatever it is doing. */
  async close(): Promise<void> {
    await this.worker.terminate();
  }
}

/** Runs on the thread, as text: it may use nothing from outside itself. Long lines are cut before they are compared. */
function answerQuestions(threads: typeof import('node:worker_threads')): void {
  const pattern = new RegExp(threads.workerData.source, threads.workerData.flags);
  threads.parentPort?.on('message', (question: { text: string; most: number }) => {
    const found: { line: number; text: string }[] = [];
    const lines = question.text.split('\n');
    for (let index = 0; index < lines.length && found.length < question.most; index += 1) {
      const line = (lines[index] ?? '').slice(0, 10_000).replace(/\r$/, '');
      if (pattern.test(line)) found.push({ line: index + 1, text: line.slice(0, 500) });
    }
    threads.parentPort?.postMessage(found);
  });
}

function toExpression(request: PatternRequest): RegExp {
  const source = request.literal
    ? request.pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
    : request.pattern;
  try {
    return new RegExp(source, request.ignoreCase ? 'i' : '');
  } catch (error) {
    throw new ComputerError(
      'failed',
      `The pattern is not a valid regular expression: ${error instanceof Error ? error.message : String(error)}. Correct it, or search for plain text with literal.`,
      { cause: error },
    );
  }
}

const tooSlow = (): ComputerError =>
  new ComputerError(
    'failed',
    'The pattern takes too long to compare. Use a simpler one without nested repetition, or search for plain text with literal.',
  );
