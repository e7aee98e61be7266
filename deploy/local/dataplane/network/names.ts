// DNS inside a site: answers questions for IPv4 addresses of Services, over UDP.
import { createSocket } from 'node:dgram';

const HEADER_BYTES = 12;
const TYPE_A = 1;
/** A response with authority and recursion; the second one says that there is no such name. */
const FOUND = 0x8580;
const NO_SUCH_NAME = 0x8583;
/** A pointer to the question's name, type A, class IN, 2 seconds to live, 4 bytes. */
const ADDRESS_RECORD = [0xc0, HEADER_BYTES, 0, 1, 0, 1, 0, 0, 0, 2, 0, 4];

/** The addresses of a name; null when there is no such name. */
export type ResolveName = (name: string) => readonly string[] | null;

/** Listens on port 53 there. */
export async function serveNames(host: string, resolve: ResolveName): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const answer = answerTo(query, resolve);
    if (answer !== null) socket.send(answer, port, address);
  });
  await new Promise<void>((listening, reject) => {
    socket.once('error', reject).bind(53, host, () => {
      socket.off('error', reject).on('error', () => undefined);
      listening();
    });
  });
}

/** The answer to a query with one question; null for what is no query. Pure but for `resolve`. */
export function answerTo(query: Buffer, resolve: ResolveName): Buffer | null {
  const question = questionIn(query);
  if (question === null) return null;
  const addresses = resolve(question.name);
  const records = question.type === TYPE_A ? (addresses ?? []) : [];
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  header.writeUInt16BE(addresses === null ? NO_SUCH_NAME : FOUND, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  const bytes = records.map((ip) => Buffer.from([...ADDRESS_RECORD, ...ip.split('.').map(Number)]));
  return Buffer.concat([header, query.subarray(HEADER_BYTES, question.end), ...bytes]);
}

function questionIn(query: Buffer): { name: string; type: number; end: number } | null {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (;;) {
    const length = query[at];
    if (length === undefined || length > 63) return null;
    at += 1;
    if (length === 0) break;
    labels.push(query.toString('latin1', at, at + length));
    at += length;
  }
  if (at + 4 > query.length) return null;
  return { name: labels.join('.'), type: query.readUInt16BE(at), end: at + 4 };
}
