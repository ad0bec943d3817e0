/** Bytes of one output stream that are kept. What lies between head and tail is counted and let go. */
export interface CaptureLimits {
  headBytes: number;
  tailBytes: number;
}

const KEPT: CaptureLimits = { headBytes: 1024 * 1024, tailBytes: 3 * 1024 * 1024 };

/** Takes in any amount of output and keeps its beginning and its end, so that memory does not grow with it. */
export class OutputCapture {
  private readonly head: Buffer[] = [];
  private headBytes = 0;
  private tail: Buffer[] = [];
  private tailBytes = 0;
  private droppedBytes = 0;

  constructor(private readonly limits: CaptureLimits = KEPT) {}

  /** Takes the next piece. */
  push(chunk: Buffer): void {
    const room = this.limits.headBytes - this.headBytes;
    const first = chunk.subarray(0, room);
    if (first.length > 0) {
      append(this.head, first);
      this.headBytes += first.length;
    }
    if (chunk.length > first.length) this.pushTail(chunk.subarray(first.length));
  }

  /** What was kept, as text; bytes that are not UTF-8 show as replacement characters. */
  text(): string {
    const head = Buffer.concat(this.head);
    const tail = Buffer.concat(this.tail);
    const over = Math.max(0, tail.length - this.limits.tailBytes);
    const dropped = this.droppedBytes + over;
    if (dropped === 0) return Buffer.concat([head, tail]).toString('utf8');
    const end = wholeCharacters(tail.subarray(over));
    return `${head.toString('utf8')}\n[… ${dropped} bytes of output left out …]\n${end.toString('utf8')}`;
  }

  private pushTail(chunk: Buffer): void {
    append(this.tail, chunk);
    this.tailBytes += chunk.length;
    this.dropSurplus();
  }

  private dropSurplus(): void {
    for (let first = this.tail[0]; first !== undefined; first = this.tail[0]) {
      if (this.tailBytes - first.length < this.limits.tailBytes) return;
      this.tail.shift();
      this.tailBytes -= first.length;
      this.droppedBytes += first.length;
    }
  }
}

/** Small pieces are joined, so that a million short writes do not become a million buffers. */
function append(pieces: Buffer[], chunk: Buffer): void {
  const last = pieces.at(-1);
  const joins = last !== undefined && last.length + chunk.length <= 16 * 1024;
  if (joins) pieces[pieces.length - 1] = Buffer.concat([last, chunk]);
  else pieces.push(Buffer.from(chunk));
}

/** Leaves out up to three bytes at the start that belong to a character which was cut. */
function wholeCharacters(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return start > 0 && start < 4 ? bytes.subarray(start) : bytes;
}
