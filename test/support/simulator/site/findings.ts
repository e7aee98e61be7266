// What a simulated site's agent can say of a copy.
import type { Finding } from '../../../../workflows/types/copy.ts';

export function findingOf(verdict: Finding['verdict'], reason: Finding['reason'], healthy: boolean): Finding {
  return {
    verdict,
    healthy,
    reason,
    message: `It is ${verdict}.`,
    statusHash: `${verdict}-${reason}-${healthy}`,
  };
}

export const UNCERTIFIED: Finding = {
  ...findingOf('Ready', 'Ready', true),
  statusHash: 'Ready-uncertified',
  hostname: { reason: 'NotIssued', message: 'The certificate is not issued.' },
};
