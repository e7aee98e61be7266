// A TCP connection's way through this process, which can be cut, stalled and slowed down.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface Relay {
  /** On 127.0.0.1. */
  readonly port: number;
  /** Breaks every connection, and refuses new ones until `heal`. */
  cut(): void;
  /** Takes everything and passes nothing on until `heal`, as a network does that drops packets. */
  stall(): void;
  /** Lets every piece wait so many milliseconds, in each direction, until `heal`. */
  slow(ms: number): void;
  heal(): void;
  stop(): Promise<void>;
}

/** Listens on a free port, and passes on to this one of the host. */
export async function startRelay(to: number, host = '127.0.0.1'): Promise<Relay> {
  const relay = new RunningRelay(to, host);
  await relay.listen();
  return relay;
}

type State = 'open' | 'cut' | 'stalled';

/** Bytes of one direction. */
const MOST_WAITING = 1_048_576;

class RunningRelay implements Relay {
  readonly #to: number;
  readonly #host: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #state: State = 'open';
  #delay = 0;
  #resume: (() => void)[] = [];

  constructor(to: number, host: string) {
    this.#to = to;
    this.#host = host;
    this.#server = createServer((client) => this.#take(client));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
  }

  cut(): void {
    this.#state = 'cut';
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  stall(): void {
    this.#state = 'stalled';
  }

  slow(ms: number): void {
    this.#delay = ms;
  }

  heal(): void {
    this.#state = 'open';
    this.#delay = 0;
    const resume = this.#resume;
    this.#resume = [];
    for (const go of resume) go();
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(client: Socket): void {
    if (this.#state === 'cut') return void client.resetAndDestroy();
    const onward = connect(this.#to, this.#host);
    for (const [from, to] of [
      [client, onward],
      [onward, client],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from
        .on('error', () => undefined)
        .once('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
      void this.#pump(from, to);
    }
  }

  /** In order; the sender feels when much waits. */
  async #pump(from: Socket, to: Socket): Promise<void> {
    let waiting = 0;
    let passed = Promise.resolve();
    try {
      for await (const piece of from as AsyncIterable<Buffer>) {
        const due = performance.now() + this.#delay;
        waiting += piece.length;
        passed = passed.then(async () => {
          await this.#until(due);
          if (!to.destroyed && !to.write(piece)) await drained(to);
          waiting -= piece.length;
        });
        if (waiting > MOST_WAITING) await passed;
      }
      await passed;
      to.end();
    } catch {
      to.destroy();
    }
  }

  /** Until then, and until it is not silent. */
  async #until(due: number): Promise<void> {
    const left = due - performance.now();
    if (left > 0) await new Promise((resolve) => void setTimeout(resolve, left));
    if (this.#state === 'stalled') await new Promise<void>((resolve) => void this.#resume.push(resolve));
  }
}

function drained(to: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      to.off('drain', done).off('close', done);
      resolve();
    };
    to.once('drain', done).once('close', done);
  });
}
