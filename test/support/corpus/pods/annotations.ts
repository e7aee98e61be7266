// Annotations of Knative that it refuses.
import { type Row, marked } from './examples.ts';

export const ANNOTATIONS: readonly Row[] = [
  [
    'an annotation of Knative that there is not',
    marked({ 'networking.knative.dev/speed': 'high' }),
    'metadata.annotations[networking.knative.dev/speed]',
    'no such annotation',
  ],
  [
    'a deadline that is no time',
    marked({ 'serving.knative.dev/progress-deadline': 'soon' }),
    'metadata.annotations[serving.knative.dev/progress-deadline]',
    'such as 30s',
  ],
  [
    'a deadline of a fraction',
    marked({ 'serving.knative.dev/progress-deadline': '1.5s' }),
    'metadata.annotations[serving.knative.dev/progress-deadline]',
    'whole seconds',
  ],
  [
    'a share above the whole',
    marked({ 'queue.sidecar.serving.knative.dev/resourcePercentage': '101' }),
    'metadata.annotations[queue.sidecar.serving.knative.dev/resourcePercentage]',
    'from 0.1 to 100',
  ],
  [
    'a share that is no number',
    marked({ 'queue.sidecar.serving.knative.dev/resource-percentage': 'all' }),
    'metadata.annotations[queue.sidecar.serving.knative.dev/resource-percentage]',
    'from 0.1 to 100',
  ],
  [
    'a share in hexadecimal',
    marked({ 'queue.sidecar.serving.knative.dev/resource-percentage': '0x20' }),
    'metadata.annotations[queue.sidecar.serving.knative.dev/resource-percentage]',
    'from 0.1 to 100',
  ],
  [
    'a share behind a blank',
    marked({ 'queue.sidecar.serving.knative.dev/resource-percentage': ' 20' }),
    'metadata.annotations[queue.sidecar.serving.knative.dev/resource-percentage]',
    'from 0.1 to 100',
  ],
  [
    'a quantity that is none',
    marked({ 'queue.sidecar.serving.knative.dev/cpu-resource-request': 'much' }),
    'metadata.annotations[queue.sidecar.serving.knative.dev/cpu-resource-request]',
    'no quantity',
  ],
];
