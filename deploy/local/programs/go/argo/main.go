// Argo CD's ApplicationSet controller, and with "health <script>" what Argo CD makes of the object on stdin. One program,
// because the two share most of their packages.
package main

import (
	"encoding/json"
	"io"
	"log"
	"os"

	controller "github.com/argoproj/argo-cd/v3/cmd/argocd-applicationset-controller/commands"
	"github.com/argoproj/argo-cd/v3/util/lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == "health" {
		if err := health(os.Args[2]); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := controller.NewCommand().Execute(); err != nil {
		os.Exit(1)
	}
}

func health(file string) error {
	script, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(input); err != nil {
		return err
	}
	found, err := lua.VM{}.ExecuteHealthLua(object, string(script))
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(found)
}
