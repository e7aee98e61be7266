// The text of an answer, where whoever answers may send more than anybody wants to hold.
import type { EnterRoom } from './answer-room.ts';

/** What one answer may be. */
export interface AnswerBounds {
  readonly mostBytes: number;
  /**
   * Values and fields: three bytes of JSON can become twenty times as much in memory. Unbounded if not given.
   */
  readonly mostValues?: number | undefined;
  /** What all answers under way may hold together; unbounded if not given. */
  readonly enter?: EnterRoom | undefined;
}

/** There was more than that. It quotes nothing. */
export class AnswerTooLong extends Error {
  constructor(mostBytes: number) {
    super(`The answer is longer than ${mostBytes} bytes, or there is no room for it`);
    this.name = 'AnswerTooLong';
  }
}

/**
 * Reads no more than it returns, and leaves the rest: the connection is then not used again. Throws
 * AnswerTooLong, and what the body throws.
 */
export async function boundedText(
  body: AsyncIterable<Uint8Array>,
  { mostBytes, mostValues = Infinity, enter }: AnswerBounds,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let [left, values, hasRoom] = [mostBytes, mostValues, true];
  const held = enter?.(() => {
    hasRoom = false;
    chunks.length = 0;
  });
  try {
    for await (const chunk of body) {
      left -= chunk.byteLength;
      if (mostValues !== Infinity) values -= valuesIn(chunk);
      held?.take(chunk.byteLength);
      if (left < 0 || values < 0 || !hasRoom) throw new AnswerTooLong(mostBytes);
      chunks.push(chunk);
    }
    if (!hasRoom) throw new AnswerTooLong(mostBytes);
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    held?.leave();
  }
}

const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b];

/** Of JSON: never fewer than it has, since commas and brackets within texts count as well. */
function valuesIn(chunk: Uint8Array): number {
  let found = 0;
  for (const byte of chunk) if (byte === COMMA || byte === BRACKET || byte === BRACE) found += 1;
  return found;
}
