// What of a Secret is sealed, as bytes: its values as they are, so that they grow by a third on their way and
// no more, as those of a Secret do.
import { z } from 'zod';
import type { Secret } from '../kubernetes/core.ts';

export interface Content {
  readonly type?: string;
  readonly immutable?: boolean;
  /** Values in base64, as in a Secret. */
  readonly data: Readonly<Record<string, string>>;
}

const Header = z.object({
  type: z.string().exactOptional(),
  immutable: z.boolean().exactOptional(),
  /** Key and length of each value, in their order. */
  values: z.array(z.tuple([z.string(), z.int().min(0)])),
});

const LENGTH = 4;

export function contentOf({ type, immutable, data = {} }: Secret): Content {
  return {
    ...(type === undefined ? {} : { type }),
    ...(immutable === undefined ? {} : { immutable }),
    data,
  };
}

/** The same content always has the same bytes. */
export function packed({ type, immutable, data }: Content): Buffer {
  const values = Object.keys(data)
    .toSorted()
    .map((key) => [key, Buffer.from(data[key] ?? '', 'base64')] as const);
  const lengths = values.map(([key, value]) => [key, value.length]);
  const header = Buffer.from(JSON.stringify({ type, immutable, values: lengths }));
  const length = Buffer.alloc(LENGTH);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, ...values.map(([, value]) => value)]);
}

/** Throws an Error without any of the bytes if they are not such a content. */
export function unpacked(bytes: Buffer): Content {
  const end = LENGTH + (bytes.length < LENGTH ? 0 : bytes.readUInt32BE(0));
  const read = Header.safeParse(jsonOf(bytes.subarray(LENGTH, end)));
  if (!read.success) throw new Error('What was sealed is no Secret');
  const { values, ...rest } = read.data;
  let at = end;
  const data = values.map(([key, length]) => {
    const value = bytes.subarray(at, at + length);
    at += length;
    return [key, value.toString('base64')] as const;
  });
  if (at !== bytes.length) throw new Error('What was sealed is cut off');
  return { ...rest, data: Object.fromEntries(data) };
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}
