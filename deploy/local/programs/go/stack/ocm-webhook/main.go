// OCM's admission webhooks for ManagedClusters and ManagedClusterSetBindings, on one loopback port.
//
// Upstream's main (registration webhook-server) also binds :8000 and :8080 on every interface, and has no flag to change that, so a
// second stack could not run beside the first. The handlers are upstream's; only the server around them is ours.
package main

import (
	"flag"
	"log"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	ocmfeature "open-cluster-management.io/api/feature"
	"open-cluster-management.io/ocm/pkg/features"
	webhookv1 "open-cluster-management.io/ocm/pkg/registration/webhook/v1"
	webhookv1beta2 "open-cluster-management.io/ocm/pkg/registration/webhook/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

func main() {
	host := pflag.String("host", "127.0.0.1", "address to listen on")
	port := pflag.Int("port", 9443, "port to listen on")
	certDir := pflag.String("certdir", "", "folder with tls.crt and tls.key")
	pflag.CommandLine.AddGoFlagSet(flag.CommandLine) // brings --kubeconfig
	utilruntime.Must(features.HubMutableFeatureGate.Add(ocmfeature.DefaultHubRegistrationFeatureGates))
	features.HubMutableFeatureGate.AddFlag(pflag.CommandLine)
	pflag.Parse()

	ctrl.SetLogger(klog.Background())
	scheme := runtime.NewScheme()
	utilruntime.Must(clusterv1.Install(scheme))
	utilruntime.Must(webhookv1beta2.Install(scheme))
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme:        scheme,
		Metrics:       server.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{Host: *host, Port: *port, CertDir: *certDir}),
	})
	if err != nil {
		log.Fatalf("cannot set up the server: %v", err)
	}
	utilruntime.Must((&webhookv1.ManagedClusterWebhook{}).Init(manager))
	utilruntime.Must((&webhookv1beta2.ManagedClusterSetBindingWebhook{}).Init(manager))
	if err := manager.Start(ctrl.SetupSignalHandler()); err != nil {
		log.Fatalf("stopped: %v", err)
	}
}
