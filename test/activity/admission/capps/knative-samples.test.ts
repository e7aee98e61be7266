// Knative Services of public samples, made into Capps by their obvious fields as people do it, with kubectl:
// each is taken, or refused with the field by name.
import { KNATIVE_SAMPLES, type KnativeSample } from '../../../support/corpus/public/knative.ts';
import type { WebhookForTests } from '../../../support/servers/chart/webhook.ts';
import { kubectlFiles } from '../../../support/testbeds/fleet/kubectl-files.ts';
import { askedCapps, NS } from '../../../support/testbeds/hub/asked-capps.ts';

let stage: WebhookForTests;
askedCapps((given) => {
  stage = given;
});

const SAMPLES = Object.entries(KNATIVE_SAMPLES).map(([title, sample], index) => ({
  title,
  sample,
  name: `sample-${index}`,
}));

const cappOf = (
  { metadata = '{}', spec }: KnativeSample,
  name: string,
): string => `apiVersion: rcs.dana.io/v1alpha1
kind: Capp
metadata: {<<: ${metadata}, name: ${name}, namespace: ${NS}}
spec:
  configurationSpec:
${spec.replaceAll('@name@', name).replaceAll(/^/gm, '    ')}
`;

test.each(SAMPLES)('$title', async ({ sample, name }) => {
  const { refusal } = await kubectlFiles(stage.kubeconfig).tryOut(cappOf(sample, name));
  if (sample.refused === undefined) expect(refusal).toBeNull();
  else expect(refusal).toContain(sample.refused);
});
