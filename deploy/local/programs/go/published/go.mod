// What a site needs of others, as manifests: nothing is compiled. go.sum has the hash of each module.
module cappstan.local/published

go 1.25.0

require (
	knative.dev/operator v0.50.0
	knative.dev/serving v0.50.0
)
