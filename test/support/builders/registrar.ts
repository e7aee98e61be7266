// Tokens as managed-serviceaccount keeps them for the registrar.

/** What a token of a ServiceAccount says of itself; nobody has signed it. */
export function aTokenOf(account: string, id = 'one'): string {
  const claims = { sub: `system:serviceaccount:addons:${account}`, jti: id };
  return `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;
}
