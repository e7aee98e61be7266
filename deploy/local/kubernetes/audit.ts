// The audit log of each cluster of a stack: each request to its API server, who made it, and about what.
// `make bench MEASURE=counts` reads that of the hub, `make soak` all of them.
import { HUB, type Layout } from '../layout.ts';
import { writeText } from '../supervise/json-file.ts';
import { stringify } from 'yaml';

/** Without contents, watches, leases and what probes ask. One line for each request, when it was answered. */
const POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived', 'ResponseStarted'],
  rules: [
    { level: 'None', verbs: ['watch'] },
    { level: 'None', resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }] },
    { level: 'None', nonResourceURLs: ['*'] },
    { level: 'Metadata' },
  ],
};

/** Path of the log: JSON lines of `audit.k8s.io/v1`. */
export function auditLogOf(layout: Layout, cluster = HUB): string {
  return layout.logOf(`${cluster}-audit`);
}

/** Writes the policy, and returns the API server's flags. Safe to repeat. */
export function auditFlags(layout: Layout, cluster: string): string[] {
  const policy = layout.dataOf('audit-policy.yaml');
  writeText(policy, stringify(POLICY));
  // Megabytes, so many that it is not rotated: a reader's place in it stays what it was.
  return [
    `--audit-policy-file=${policy}`,
    `--audit-log-path=${auditLogOf(layout, cluster)}`,
    '--audit-log-maxsize=10000',
  ];
}
