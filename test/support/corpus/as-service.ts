// The Knative Service that a site makes of an example.
import type { Capp } from '../../../crds/capp/capp.ts';
import { normalise } from '../../../crds/capp/normalise.ts';
import type { KnativeService } from '../../../crds/kubernetes/knative.ts';
import { DEFAULT_AUTOSCALE } from '../../../site/workload/autoscaling.ts';
import { knativeService } from '../../../site/workload/knative-service.ts';
import { raw } from '../builders/admission.ts';
import type { Example } from './pods/examples.ts';

/** Of a Capp in the namespace `default`. */
export function serviceOf({ template, more = {}, annotations = {} }: Omit<Example, 'title'>): KnativeService {
  // An example may have what no schema of a Capp takes.
  const capp = raw(
    { configurationSpec: { template }, ...more },
    { namespace: 'default', annotations },
  ) as Capp;
  const service = knativeService(normalise(capp).capp, DEFAULT_AUTOSCALE);
  if (service === null) throw new Error('An app that is not disabled has a Service.');
  const { ownerReferences: _none, ...metadata } = service.metadata;
  return { ...service, metadata };
}
