// What a hostname may look like.

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** A fully qualified name as Kubernetes checks it (IsFullyQualifiedDomainName): one dot at its end is fine. */
export function isFullyQualified(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  const labels = name.split('.');
  return name.length <= 253 && labels.length >= 2 && labels.every((label) => LABEL.test(label));
}
