import type { ServerResponse } from 'node:http';

/** An idle stream says that it is alive, so that nothing between closes it. */
const HEARTBEAT_MS = 15_000;
/** A reader that is this far behind is let go; it can come back with the last id it has seen. */
const MAX_BACKLOG_BYTES = 16 * 1024 * 1024;

/**
 * Writes server-sent events as the WHATWG HTML standard has them. Events of one turn of the event loop
 * go out in one write.
 */
export class EventStreamWriter {
  private buffer = '';
  private scheduled = false;
  private ended = false;
  private readonly heartbeat: NodeJS.Timeout;

  constructor(private readonly response: ServerResponse) {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
    this.heartbeat = setInterval(() => this.write(': alive\n\n'), HEARTBEAT_MS);
    response.once('close', () => clearInterval(this.heartbeat));
  }

  /** `json` is one line. */
  event(id: number, type: string, json: string): void {
    this.write(`id: ${id}\nevent: ${type}\ndata: ${json}\n\n`);
  }

  /** Data alone, without id and type; `text` is one line. */
  data(text: string): void {
    this.write(`data: ${text}\n\n`);
  }

  end(): void {
    this.ended = true;
    clearInterval(this.heartbeat);
    this.schedule();
  }

  private write(text: string): void {
    if (this.ended) return;
    this.buffer += text;
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.flush());
  }

  private flush(): void {
    this.scheduled = false;
    if (this.response.destroyed) return;
    if (this.response.writableLength > MAX_BACKLOG_BYTES) {
      this.response.destroy();
      return;
    }
    const text = this.buffer;
    this.buffer = '';
    if (this.ended) this.response.end(text);
    else this.response.write(text);
  }
}
