// The text of an answer, where whoever answers may send more than anybody wants to hold.

/** There was more than that. It quotes nothing. */
export class AnswerTooLong extends Error {
  constructor(mostBytes: number) {
    super(`The answer is longer than ${mostBytes} bytes`);
    this.name = 'AnswerTooLong';
  }
}

/**
 * Reads no more than it returns, and leaves the rest: the connection is then not used again. Throws
 * AnswerTooLong, and what the body throws.
 */
export async function boundedText(body: AsyncIterable<Uint8Array>, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let left = mostBytes;
  for await (const chunk of body) {
    left -= chunk.byteLength;
    if (left < 0) throw new AnswerTooLong(mostBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
