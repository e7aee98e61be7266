// Computes the size of a work as OCM's webhook counts it.
import type { Manifest } from './ocm.ts';

/**
 * More than 500 KiB of manifests are refused (`--manifestLimit`, ocm: pkg/work/webhook/common/validator.go).
 */
export const MANIFEST_LIMIT = 500 * 1024;

/** Go writes these as six bytes each (encoding/json, HTMLEscape), however they were sent. */
const ESCAPED_BY_GO = /[<>&\u2028\u2029]/g;
const ESCAPE_BYTES = 6;

/** What protobuf adds to each manifest at most (runtime.RawExtension.Size): a tag and a length. */
const FRAME_BYTES = 4;

/** Bytes of manifests as the webhook counts them, or a few more. */
export function carriedBytes(manifests: readonly Manifest[]): number {
  return manifests.map(bytesOf).reduce((sum, bytes) => sum + bytes, 0);
}

function bytesOf(manifest: Manifest): number {
  const text = JSON.stringify(manifest);
  const escaped = text.match(ESCAPED_BY_GO) ?? [];
  const added = escaped
    .map((character) => ESCAPE_BYTES - Buffer.byteLength(character))
    .reduce((sum, bytes) => sum + bytes, 0);
  return Buffer.byteLength(text) + added + FRAME_BYTES;
}
