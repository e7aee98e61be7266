// Faults of the webhook, as its configuration and a dry run show them.
import { WEBHOOK } from './kinds.ts';
import type { DoctorFacts, Fault, Read, WebhookConfiguration } from './facts.ts';
import { trustFaults } from './trusted.ts';

const PODS =
  'Check that the Pods of Deployment cappstan-webhook are ready, and that the API server reaches them.';

/** `now` in milliseconds since the epoch. */
export function webhookFaults({ validating, mutating, probe }: DoctorFacts, now: number): Fault[] {
  const asked = probe === null ? [] : probeFaults(probe);
  return [
    ...configurationFaults('ValidatingWebhookConfiguration', validating, now),
    ...configurationFaults('MutatingWebhookConfiguration', mutating, now),
    ...asked,
  ];
}

function probeFaults(probe: NonNullable<DoctorFacts['probe']>): Fault[] {
  if (probe.is === 'refused') return [];
  if (probe.is === 'unanswered')
    return [fault(`It does not answer, so Capps cannot be created or changed: ${probe.why}.`, PODS)];
  return [
    fault(
      'A request to move that means nothing is accepted, so nothing checks Capps.',
      'Check that its configurations are there, and their failurePolicy.',
    ),
  ];
}

function configurationFaults(kind: string, found: Read<WebhookConfiguration>, now: number): Fault[] {
  if (found === null) return [];
  const configuration = found.find(({ metadata }) => metadata.name === WEBHOOK);
  if (configuration === undefined)
    return [
      fault(
        `There is no ${kind} ${WEBHOOK}, so the API server does not ask the webhook.`,
        'Set webhook.install=true in the chart.',
      ),
    ];
  const bundles = [
    ...new Set((configuration.webhooks ?? []).map(({ clientConfig }) => clientConfig.caBundle ?? '')),
  ];
  const remedy = `The webhook writes it when it starts: restart Deployment ${WEBHOOK}, or renew the certificate that you gave it.`;
  const who = `The ${kind}`;
  return bundles.flatMap((bundle) => trustFaults({ about: 'webhook', who, bundle, remedy }, now));
}

function fault(problem: string, remedy: string): Fault {
  return { about: 'webhook', problem, remedy };
}
