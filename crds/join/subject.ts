// Whom a certificate request asks to be: a strict reading of PKCS#10, in DER.
//
// It takes what OCM's agent writes and nothing else, so that no two readers can differ about what is read:
// names of PrintableString or UTF8String in ASCII, and no attribute, so no extension and no other name.

const SEQUENCE = 0x30;
const SET = 0x31;
const OBJECT_IDENTIFIER = 0x06;
const PRINTABLE = 0x13;
const UTF8 = 0x0c;
const INTEGER = 0x02;
const ATTRIBUTES = 0xa0;

/** Of X.520, as hex. */
const COMMON_NAME = '550403';
const ORGANIZATION = '55040a';

export interface RequestSubject {
  readonly commonName: string;
  /** In the order in which they stand. */
  readonly organizations: readonly string[];
}

interface Part {
  readonly tag: number;
  readonly content: Buffer;
}

/**
 * `pem` as it stands in `spec.request` of a CertificateSigningRequest. Null for all that it does not take.
 */
export function subjectOf(pem: string): RequestSubject | null {
  const body =
    /^-----BEGIN CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END CERTIFICATE REQUEST-----\s*$/.exec(
      pem,
    )?.[1];
  if (body === undefined) return null;
  const [request, ...behind] = partsOf(Buffer.from(body, 'base64')) ?? [];
  if (request?.tag !== SEQUENCE || behind.length > 0) return null;
  const [info, , , ...more] = partsOf(request.content) ?? [];
  return info?.tag === SEQUENCE && more.length === 0 ? inInfo(partsOf(info.content) ?? []) : null;
}

/** Of version, subject, key and attributes. */
function inInfo([version, subject, key, attributes, ...more]: readonly Part[]): RequestSubject | null {
  if (version?.tag !== INTEGER || key?.tag !== SEQUENCE || more.length > 0) return null;
  const isBare =
    attributes === undefined || (attributes.tag === ATTRIBUTES && attributes.content.length === 0);
  return subject?.tag === SEQUENCE && isBare ? namesOf(subject.content) : null;
}

function namesOf(name: Buffer): RequestSubject | null {
  const groups = partsOf(name);
  const pairs = groups?.flatMap((group) => (group.tag === SET ? (partsOf(group.content) ?? [null]) : [null]));
  const names = pairs?.map((pair) => (pair?.tag === SEQUENCE ? nameOf(pair.content) : null)) ?? [null];
  if (names.includes(null)) return null;
  const of = (type: string): string[] => names.flatMap((one) => (one?.type === type ? [one.text] : []));
  const [commonNames, organizations] = [of(COMMON_NAME), of(ORGANIZATION)];
  const [commonName] = commonNames;
  const isAll = commonNames.length === 1 && commonNames.length + organizations.length === names.length;
  return isAll && commonName !== undefined ? { commonName, organizations } : null;
}

function nameOf(pair: Buffer): { readonly type: string; readonly text: string } | null {
  const [type, value, ...more] = partsOf(pair) ?? [];
  if (type?.tag !== OBJECT_IDENTIFIER || value === undefined || more.length > 0) return null;
  if (value.tag !== PRINTABLE && value.tag !== UTF8) return null;
  const isAscii = value.content.every((byte) => byte >= 0x20 && byte < 0x7f);
  return isAscii ? { type: type.content.toString('hex'), text: value.content.toString('ascii') } : null;
}

/**
 * Null if they do not fill the content exactly, or a length is not written in the one way that DER allows.
 */
function partsOf(content: Buffer): Part[] | null {
  const parts: Part[] = [];
  let at = 0;
  while (at < content.length) {
    const header = headerAt(content, at);
    if (header === null) return null;
    const end = header.from + header.length;
    if (end > content.length) return null;
    parts.push({ tag: header.tag, content: content.subarray(header.from, end) });
    at = end;
  }
  return parts;
}

function headerAt(content: Buffer, at: number): { tag: number; from: number; length: number } | null {
  const [tag, first] = [content[at], content[at + 1]];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return null;
  if (first < 0x80) return { tag, from: at + 2, length: first };
  const count = first - 0x80;
  if (count < 1 || count > 2 || at + 2 + count > content.length) return null;
  const length = content.readUIntBE(at + 2, count);
  const isShortest = count === 1 ? length >= 0x80 : length >= 0x1_00;
  return isShortest ? { tag, from: at + 2 + count, length } : null;
}
