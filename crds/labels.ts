// Every label, annotation and finalizer name of the system, so that none is spelled twice: those of hosts are
// in metal/labels.ts, and those of clusters that join in join/labels.ts.

/** Of all of them. */
export const GROUP = 'rcs.dana.io';

/** Whether the name of a label or an annotation is of Cappstan. */
export function isOurs(name: string): boolean {
  return name.startsWith(`${GROUP}/`);
}

/** On shipped objects and on what the site operator makes. Values: `MANAGED_BY_HUB`, `MANAGED_BY_SITE`. */
export const MANAGED_BY = `${GROUP}/managed-by`;
/** The hub put the object there. On a site's Namespace it means that the hub's ManifestWork created it. */
export const MANAGED_BY_HUB = 'rcs';
/** The site operator derived the object from a Capp. */
export const MANAGED_BY_SITE = 'capp';

/**
 * Label on a site's Namespace, by the site's admins: whether Capps of a hub may run there. Without it they
 * may where a work made the Namespace. Values: `HUB_CAPPS_ALLOWED`, and anything else refuses.
 */
export const HUB_CAPPS = `${GROUP}/hub-capps`;
export const HUB_CAPPS_ALLOWED = 'allowed';

/**
 * Label on a site's Namespace, by the site's admins: Capps of other hubs than the one that made it may run
 * there, too. Value: `HUB_CAPPS_ALLOWED`.
 */
export const OTHER_HUBS = `${GROUP}/other-hubs`;

/** On a ClusterClaim: the agent of the site has made it. */
export const MANAGED_BY_AGENT = 'agent';
/** On a Secret with which Argo CD deploys to a site: the registrar has made it. */
export const MANAGED_BY_REGISTRAR = 'registrar';

/**
 * Label on what a hub brings to a site, on the Namespaces that it makes and on the add-on there: which hub.
 * The site's API server refuses to an agent of OCM the id of another hub (docs/decisions/0095).
 */
export const HUB = `${GROUP}/hub`;

/** Label on what is there once for all hubs of a site. Value: `shared`. */
export const HUB_PART = `${GROUP}/hub-part`;

/**
 * Annotation on a Drain that is a dry run: so many seconds after it was made, the hub deletes it. A command
 * that is killed leaves it behind.
 */
export const ENDS_AFTER = `${GROUP}/ends-after`;

/** Label on a ManifestWork: `sha256(namespace/name)` of its Capp, first 40 hex digits. */
export const CAPP_KEY = `${GROUP}/capp-key`;
/** Label on a ManifestWork, and on a cluster-scoped DNS record: the uid of its Capp. */
export const CAPP_UID = `${GROUP}/capp-uid`;
/** Annotations on a ManifestWork, the Go operator's: whose it is. */
export const CAPP_NAME = `${GROUP}/capp-name`;
export const CAPP_NAMESPACE = `${GROUP}/capp-namespace`;
/** Annotation on a ManifestWork: a name that is new each time a work is created. */
export const INCARNATION = `${GROUP}/incarnation`;
/**
 * Annotation on a ManifestWork: the key of the manifest hash, so that no hash that travels can be used to
 * guess a Secret.
 */
export const SALT = `${GROUP}/salt`;
/**
 * Annotation on a ManifestWork: digest of the versions of what it carries besides the Capp
 * (`dependenciesDigest`).
 */
export const DEPENDENCIES = `${GROUP}/dependencies`;

/**
 * Annotation on a ManifestWork that the Go operator has shipped and we have taken over: salted hash of what
 * was wanted then. It goes when we ship.
 */
export const ADOPTED = `${GROUP}/adopted`;

/**
 * Annotation on a ManifestWork that somebody else has made and we have taken over: its site may still count
 * the Namespace as its own.
 */
export const TAKEN_OVER = `${GROUP}/taken-over`;

/** Annotation on a shipped Capp and on its work: `<uid>/<hub generation>/<manifest hash>/<incarnation>`. */
export const ROLLOUT = `${GROUP}/rollout`;
/** Annotation on the hub's Capp, the Go operators', and on a Drain: the user of the last change. */
export const LAST_UPDATED_BY = `${GROUP}/last-updated-by`;

/**
 * Annotation on the hub's Capp, the Go operator's: the cluster that serves it. It sends nobody anywhere: we
 * read it only of a cluster where a work of the Capp stands, when its status says nothing.
 */
export const HAS_PLACEMENT = `${GROUP}/has-placement`;

/**
 * Annotation on the hub's Capp: clusters, between commas, that said of themselves that they have a copy of
 * which the hub did not know. A deletion tells them to remove it and waits for none of them.
 */
export const TAKEN_UP = `${GROUP}/taken-up`;

/** Annotation on the hub's Capp, any value but "false": nothing is changed on any site until it goes. */
export const PAUSED = `${GROUP}/paused`;
/** Annotation on the hub's Capp: a request to move, `<site>#<id>`, or `#<id>` for anywhere else. */
export const MIGRATE = `${GROUP}/migrate`;
/**
 * Annotation on the hub's Capp: a person's override of what protects the last healthy copy, `<target>#<id>`.
 */
export const FORCE = `${GROUP}/force`;
/** Annotation on the hub's Capp: clusters, between commas, whose copy a person has given up for lost. */
export const ABANDON = `${GROUP}/abandon`;
/**
 * Annotation on the hub's Capp: a request to take the spec of an earlier CappRevision, `<number>#<id>
 * <reason>`. The webhook puts that spec into the same write.
 */
export const ROLLBACK = `${GROUP}/rollback`;
/** The annotations by which a person asks the hub for something. */
export const REQUESTS = [PAUSED, MIGRATE, FORCE, ABANDON, ROLLBACK] as const;
/**
 * Annotation beside one of these: the user who wrote it, as the API server knows them. The webhook writes it,
 * and nobody else can.
 */
export function requestedBy(request: string): string {
  return `${request}-by`;
}
/**
 * Annotation on the hub's Capp, a whole number: among those that leave a site together, higher goes first.
 */
export const PRIORITY = `${GROUP}/priority`;
/**
 * Annotation on a Drain: the user who created it, as the API server knows them. The webhook writes it, and
 * nobody else can.
 */
export const REQUESTED_BY = `${GROUP}/requested-by`;

/**
 * Labels on a Capp that a CappSet made: the name of the set, and its uid. Its ownerReference tells whose it
 * is.
 */
export const SET = `${GROUP}/set`;
export const SET_UID = `${GROUP}/set-uid`;
/**
 * Annotation on such a Capp: with what and when the set last wrote it, `<revision>/<hash of the
 * content>/<time>`.
 */
export const SET_REVISION = `${GROUP}/set-revision`;
/** Annotation on such a Capp: its siblings have the same hostname, so no DNS record is made for it. */
export const SHARED_HOSTNAME = `${GROUP}/shared-hostname`;
/**
 * Annotation on such a Capp: what the set wants verified of it now, and of which revision and generation
 * (`verification/order.ts`). On works: what Jobs there are to verify of a Bundle, and the verdict.
 */
export const VERIFY = `${GROUP}/verify`;
/** What the hub worker alone writes on a Capp that is there. */
export const HUB_NOTES = [HAS_PLACEMENT, TAKEN_UP, SET_REVISION, VERIFY] as const;
/** The finalizer on a CappSet: its Capps go first. */
export const SET_FINALIZER = `${GROUP}/set-cleanup`;

/**
 * Annotation on a CappSet or a Bundle: a person lets a stage begin, `<stage>#<revision>`, and
 * `<stage>#<revision>/<id>` to say so once more.
 */
export const APPROVE = `${GROUP}/approve`;
/** Annotation on a CappSet or a Bundle: a person stops the rollout where it is, `<revision>#<id>`. */
export const ABORT = `${GROUP}/abort`;
/**
 * Annotation on a CappSet or a Bundle: a site that failed is tried again, `<site>#<id>`, or `#<id>` for all
 * of them.
 */
export const RETRY = `${GROUP}/retry`;
/**
 * Annotation on a CappSet or a Bundle: from so many sites it may be removed although they are many,
 * `<number>#<id>`.
 */
export const APPROVE_REMOVAL = `${GROUP}/approve-removal`;
/** Annotation on a CappSet in a dry run: any word asks what would change, and the answer takes its place. */
export const PLAN = `${GROUP}/plan`;
/** The annotations by which a person asks something of a CappSet or a Bundle. */
export const SET_REQUESTS = [PAUSED, APPROVE, ABORT, RETRY, APPROVE_REMOVAL, ABANDON] as const;

/** Label on a ManagedCluster: it is to be a cluster of the hub's Argo CD. Value: `true`. */
export const ARGO_CLUSTER = `${GROUP}/argocd-cluster`;

/** Annotation on a ManagedCluster: it may be deleted although it serves Capps. */
export const ALLOW_DETACH = `${GROUP}/allow-detach`;

/** Label on what the site operator makes, the Go operator's: whose it is. */
export const PARENT_CAPP = `${GROUP}/parent-capp`;
/** Label on the DNS record of a Capp, the Go operator's: the namespace of that Capp. */
export const PARENT_CAPP_NAMESPACE = `${GROUP}/parent-capp-ns`;

/** Label on a CappRevision, the Go operator's: the name of its Capp. */
export const CAPP_OF_REVISION = `${GROUP}/cappName`;

/** Annotation on a hub's CappRevision: the number of the revision whose spec it has by a rollback. */
export const ROLLED_BACK_TO = `${GROUP}/rolled-back-to`;

/** Annotation on what the site operator makes: a hash of what it last asked for. */
export const APPLIED = `${GROUP}/applied`;

/**
 * Annotation on a DomainMapping: the zone, without a dot at its end, that was added to the Capp's hostname.
 */
export const ADDED_ZONE = `${GROUP}/added-zone`;

/** Label on a ManifestWork: 40 hex digits that stand for its Bundle (`bundleKey`). */
export const BUNDLE_KEY = `${GROUP}/bundle-key`;
/** Label on a ManifestWork: the uid of its Bundle. */
export const BUNDLE_UID = `${GROUP}/bundle-uid`;
/** Annotations on a ManifestWork: whose it is. */
export const BUNDLE_NAME = `${GROUP}/bundle-name`;
export const BUNDLE_NAMESPACE = `${GROUP}/bundle-namespace`;
/**
 * Annotation on a ManifestWork: with what it was last written (`writtenAs`): the revision of its Bundle
 * first.
 */
export const BUNDLE_REVISION = `${GROUP}/bundle-revision`;
/**
 * Label on a ManifestWork with the Jobs that check a Bundle on a site: the Bundle's key, as `BUNDLE_KEY` on
 * its own works, which this one does not have.
 */
export const CHECKS_OF = `${GROUP}/checks-of`;
/** Annotation on what a Bundle brings to a site: which version of that manifest it is. */
export const BUNDLE_MANIFEST = `${GROUP}/bundle-manifest`;
/** The finalizer on a Bundle. */
export const BUNDLE_FINALIZER = `${GROUP}/bundle-cleanup`;

/**
 * Annotation on a shipped Capp: the Secrets that come sealed, by name and between commas. Its workload waits
 * for them.
 */
export const SEALED = `${GROUP}/sealed-secrets`;

/** The finalizer on the hub's Capp, the Go operators'. */
export const FINALIZER = 'dana.io/capp-cleanup';
/** The finalizer on a Capp of a site without a hub, while the site has a cluster-scoped DNS record for it. */
export const RECORD_FINALIZER = `${GROUP}/dns-record`;

/** Label on a Secret with a certificate, with an empty value: Knative's Kourier watches no other Secrets. */
export const SEEN_BY_INGRESS = 'networking.internal.knative.dev/certificate-uid';
