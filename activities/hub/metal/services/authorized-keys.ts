// Whether a text is a public key as sshd reads it from a line of authorized_keys: sshd(8), and the formats of
// RFC 4253 §6.6, RFC 5656 §3.1 and RFC 8709 §4. Pure.

const LINE =
  /^(?:(?:[a-zA-Z0-9-]+(?:="(?:[^"\\]|\\.)*")?(?:,(?=[^,\s])|(?=[ \t])))+[ \t]+)?(?<type>[a-z0-9@.-]+)[ \t]+(?<blob>[A-Za-z0-9+/]+={0,2})(?:[ \t].*)?$/;

/** How long each field of a key's blob behind its type may be, in bytes. */
const FIELDS: Readonly<Record<string, readonly (readonly [least: number, most: number])[]>> = {
  'ssh-ed25519': [[32, 32]],
  // Keys of fewer than 1024 bits sshd refuses itself.
  'ssh-rsa': [
    [1, 16],
    [128, 2_049],
  ],
  'ecdsa-sha2-nistp256': [
    [8, 8],
    [65, 65],
  ],
  'ecdsa-sha2-nistp384': [
    [8, 8],
    [97, 97],
  ],
  'ecdsa-sha2-nistp521': [
    [8, 8],
    [133, 133],
  ],
  'sk-ssh-ed25519@openssh.com': [
    [32, 32],
    [1, 256],
  ],
  'sk-ecdsa-sha2-nistp256@openssh.com': [
    [8, 8],
    [65, 65],
    [1, 256],
  ],
};

/** Options before the key are allowed, as with SIP. */
export function isAuthorizedKey(line: string): boolean {
  if (/\p{Cc}/u.test(line.replaceAll('\t', ' '))) return false;
  const { type = '', blob = '' } = LINE.exec(line.trim())?.groups ?? {};
  const wanted = FIELDS[type];
  if (wanted === undefined) return false;
  const fields = fieldsOf(Buffer.from(blob, 'base64'));
  if (fields === null || fields.length !== wanted.length + 1 || fields[0]?.toString('utf8') !== type)
    return false;
  return wanted.every(([least, most], index) => {
    const length = fields[index + 1]?.length ?? 0;
    return least <= length && length <= most;
  });
}

/** Each with its length before it; null if that does not add up. */
function fieldsOf(blob: Buffer): Buffer[] | null {
  const fields: Buffer[] = [];
  let at = 0;
  while (at < blob.length) {
    if (at + 4 > blob.length) return null;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return null;
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields;
}
