// A token of a ServiceAccount as the API server would have made it at another time, such as one that has
// expired.
import { sign } from 'node:crypto';

interface Times {
  readonly iat: number;
  readonly exp: number;
}

/** The claims of a good token, so many hours older, signed with the API server's key (PEM). */
export function agedToken(token: string, hours: number, key: Buffer): string {
  const [head = '', claims = ''] = token.split('.');
  const good = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Times;
  const [iat, exp] = [good.iat - hours * 3_600, good.exp - hours * 3_600];
  const aged = Buffer.from(JSON.stringify({ ...good, iat, nbf: iat, exp })).toString('base64url');
  const signed = Buffer.from(`${head}.${aged}`);
  const mark = sign('sha256', signed, { key: key.toString(), dsaEncoding: 'ieee-p1363' });
  return `${head}.${aged}.${mark.toString('base64url')}`;
}
