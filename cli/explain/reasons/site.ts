// Advice for each reason that a site gives in a Capp's conditions.
import type { HubReason, SiteReason } from '../../../crds/capp/conditions.ts';
import { EDIT, GOES_ON, LOOK, NOTHING, WATCH, type Advice } from './advice.ts';

export const SITE: Readonly<Record<Exclude<SiteReason, HubReason>, Advice>> = {
  Ready: { words: 'The newest generation serves.', remedy: NOTHING, command: LOOK },
  Disabled: {
    words: 'The Capp is stopped, as spec.state asks.',
    remedy: 'To run it, set spec.state to enabled.',
    command: `kubectl -n {namespace} patch capp {name} --type=merge -p '{"spec":{"state":"enabled"}}'`,
  },
  Deploying: {
    words: 'A revision is starting, and nothing has failed.',
    remedy: GOES_ON,
    command: WATCH,
  },
  RolloutFailed: {
    words: 'The newest revision cannot serve: its container exits or cannot start.',
    remedy: "Correct the Capp; the message has the site's words.",
    command: EDIT,
  },
  ImageNeverReady: {
    words: "The newest revision's image cannot be pulled.",
    remedy: 'Correct the image, or its pull secret.',
    command: EDIT,
  },
  NotServed: {
    words: "The site's API server does not serve a kind that the Capp needs.",
    remedy: 'Whoever runs the site installs it; or ask for another site.',
    command: 'kubectl capp move {name} -n {namespace}',
  },
  NameTaken: {
    words: 'An object of somebody else already has the name that the Capp needs on the site.',
    remedy: 'Rename one of them; the message names it.',
    command: EDIT,
  },
  SecretSealed: {
    words: 'The site cannot open a Secret that came sealed to it.',
    remedy: 'The message names it and says why; whoever runs the site looks at its CappSecret there.',
    command: LOOK,
  },
  FeatureOff: {
    words: 'Knative on the site does not take a field of the Pod, because its switch is off there.',
    remedy:
      'Whoever runs the site turns it on, by the command that kubectl capp doctor shows; or leave the field out.',
    command: 'kubectl capp doctor',
  },
  NoAutoscaler: {
    words: 'Nobody on the site serves the class of autoscaler that the Capp asks for, so it does not start.',
    remedy:
      'Whoever runs the site installs it, by the command that kubectl capp doctor shows; or use spec.scaleMetric concurrency or rps.',
    command: 'kubectl capp doctor',
  },
  Private: {
    words: 'The Capp is private, so its hostname leads nowhere.',
    remedy: 'Take the hostname out, or the label or annotation networking.knative.dev/visibility.',
    command: EDIT,
  },
  RevisionServes: { words: 'A revision answers requests.', remedy: NOTHING, command: LOOK },
  NothingServes: {
    words: 'No revision answers requests.',
    remedy: 'The condition Available says why.',
    command: LOOK,
  },
  Bound: { words: 'Every volume is bound.', remedy: NOTHING, command: LOOK },
  NotBound: {
    words: 'A volume is not bound yet.',
    remedy: 'If this lasts, check server and path of the volume in spec.volumesSpec.',
    command: EDIT,
  },
  Mapped: { words: 'The site answers for the hostname.', remedy: NOTHING, command: LOOK },
  NotMapped: {
    words: 'The site does not answer for the hostname.',
    remedy: 'The message says what is in the way: a claim, or another namespace.',
    command: EDIT,
  },
  NotQualified: {
    words: 'The hostname is no full domain name.',
    remedy: 'Write it in full in spec.routeSpec.hostname.',
    command: EDIT,
  },
  HostnameRefused: {
    words: "The site's CappConfig does not allow the hostname.",
    remedy: 'Choose a hostname that it allows; the message says which.',
    command: EDIT,
  },
  LimitExceeded: {
    words: 'The Capp asks for more than the site allows, and gets what it allows.',
    remedy: 'Lower the field of spec.scaleSpec that the message names.',
    command: EDIT,
  },
  Provided: { words: 'The site has a certificate for the hostname.', remedy: NOTHING, command: LOOK },
  Collected: { words: "The site ships the Capp's output.", remedy: NOTHING, command: LOOK },
  NotCollected: {
    words: "The site does not ship the Capp's output, or not yet.",
    remedy: 'If this lasts, whoever runs the site looks at its logging operator.',
    command: LOOK,
  },
  LoggingInvalid: {
    words: "The site cannot ship the Capp's output as spec.logSpec says.",
    remedy: "Correct spec.logSpec; the message has the logging operator's words.",
    command: EDIT,
  },
  SourcesReady: { words: 'Every source sends its events to the Capp.', remedy: NOTHING, command: LOOK },
  SourceNotReady: {
    words: 'A source of events is not Ready on the site.',
    remedy: "If this lasts, correct the source that the message names; it has Knative's reason.",
    command: EDIT,
  },
  NoIssuer: {
    words: "The site's CappConfig does not say who issues certificates.",
    remedy: 'Whoever runs the site sets dnsConfig.issuerRef there.',
    command: LOOK,
  },
  NotIssued: {
    words: 'There is no valid certificate for the hostname yet.',
    remedy: "If this lasts, whoever runs the site looks at the issuer; the message has cert-manager's words.",
    command: LOOK,
  },
};
