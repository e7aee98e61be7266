// Temporal's production server on SQLite, and its web interface if asked for, in one process without a membership ring.
//
// Upstream's main (cmd/server) reads the same file. It makes neither the database nor a namespace, needs a port for each service's
// membership, and has no web interface; `temporal server start-dev` has all of these, and no TLS. The server is upstream's; only its start
// is ours.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log"
	"net"
	"os"
	"strconv"

	"github.com/spf13/pflag"
	uiserver "github.com/temporalio/ui-server/v2/server"
	uiconfig "github.com/temporalio/ui-server/v2/server/config"
	uioptions "github.com/temporalio/ui-server/v2/server/server_options"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/config"
	serverlog "go.temporal.io/server/common/log"
	"go.temporal.io/server/common/membership/static"
	"go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/common/primitives"
	schema "go.temporal.io/server/schema/sqlite"
	"go.temporal.io/server/temporal"
	"gopkg.in/yaml.v3"
)

func main() {
	file := pflag.String("config-file", "", "Temporal's own configuration; persistence.defaultStore is on SQLite")
	namespace := pflag.String("namespace", "default", "a namespace that is made if it does not exist")
	keywords := pflag.StringSlice("keyword", nil, "a search attribute of the namespace, of type Keyword; for a namespace that does not exist yet")
	ui := pflag.String("ui-config-file", "", "configuration of the web interface; without it there is none")
	pflag.Parse()
	if err := run(*file, *namespace, *keywords, *ui); err != nil {
		log.Fatalf("stopped: %v", err)
	}
}

func run(file, namespace string, keywords []string, ui string) error {
	conf, err := config.Load(config.WithConfigFile(file))
	if err != nil {
		return fmt.Errorf("--config-file: %w", err)
	}
	if err := prepare(conf, namespace, keywords); err != nil {
		return err
	}
	server, err := serverOf(conf)
	if err != nil {
		return err
	}
	if ui != "" {
		if err := serveUI(ui); err != nil {
			return fmt.Errorf("--ui-config-file: %w", err)
		}
	}
	return server.Start() // until it is interrupted
}

// prepare makes the database and the namespace. Safe to repeat.
func prepare(conf *config.Config, namespace string, keywords []string) error {
	store := conf.Persistence.DataStores[conf.Persistence.DefaultStore].SQL
	if store == nil || store.PluginName != sqlite.PluginName {
		return errors.New("persistence.defaultStore names no store whose sql.pluginName is sqlite")
	}
	if _, err := os.Stat(store.DatabaseName); errors.Is(err, fs.ErrNotExist) {
		if err := makeDatabase(*store); err != nil {
			return fmt.Errorf("cannot make the database %s: %w", store.DatabaseName, err)
		}
	}
	attributes := map[string]enums.IndexedValueType{}
	for _, name := range keywords {
		attributes[name] = enums.INDEXED_VALUE_TYPE_KEYWORD
	}
	made, err := schema.NewNamespaceConfig(conf.ClusterMetadata.CurrentClusterName, namespace, false, attributes)
	if err != nil {
		return err
	}
	return schema.CreateNamespaces(store, made)
}

// makeDatabase makes it beside its place: a start that is interrupted leaves no half of a schema there.
func makeDatabase(store config.SQL) error {
	final := store.DatabaseName
	store.DatabaseName = final + ".new"
	if err := os.Remove(store.DatabaseName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	store.ConnectAttributes = map[string]string{"mode": "rwc", "journal_mode": "DELETE"}
	if err := schema.SetupSchema(&store); err != nil {
		return err
	}
	return os.Rename(store.DatabaseName, final)
}

func serverOf(conf *config.Config) (temporal.Server, error) {
	logger := serverlog.NewZapLogger(serverlog.BuildZapLogger(conf.Log))
	authorizer, err := authorization.GetAuthorizerFromConfig(&conf.Global.Authorization)
	if err != nil {
		return nil, err
	}
	claims, err := authorization.GetClaimMapperFromConfig(&conf.Global.Authorization, logger)
	if err != nil {
		return nil, err
	}
	hosts := map[primitives.ServiceName]static.Hosts{}
	for _, name := range temporal.DefaultServices {
		rpc := conf.Services[name].RPC
		hosts[primitives.ServiceName(name)] = static.SingleLocalHost(net.JoinHostPort(rpc.BindOnIP, strconv.Itoa(rpc.GRPCPort)))
	}
	return temporal.NewServer(
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithConfig(conf),
		temporal.WithStaticHosts(hosts),
		temporal.WithLogger(logger),
		temporal.WithAuthorizer(authorizer),
		temporal.WithClaimMapper(func(*config.Config) authorization.ClaimMapper { return claims }),
		temporal.InterruptOn(temporal.InterruptCh()),
	)
}

// serveUI serves it beside the server. It ends the process if it cannot.
func serveUI(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var conf uiconfig.Config
	if err := yaml.Unmarshal(text, &conf); err != nil {
		return err
	}
	if err := conf.Validate(); err != nil {
		return err
	}
	server := uiserver.NewServer(uioptions.WithConfigProvider(&conf))
	go func() {
		if err := server.Start(); err != nil {
			log.Fatalf("the web interface stopped: %v", err)
		}
	}()
	return nil
}
