// Command interop is a CSI Proxy client made of the API's own Go messages. It reads calls from stdin, a JSON object a
// line, makes each over the unix socket of its pipe, and writes what came of it, a line each. With the argument "rpcs"
// it only lists every rpc there is.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

const callTimeout = 60 * time.Second

// call is one line of input. Group and version name the pipe.
type call struct {
	Group   string          `json:"group"`
	Version string          `json:"version"`
	RPC     string          `json:"rpc"`
	Request json.RawMessage `json:"request"`
}

// outcome is one line of output: a response, or a status that is not OK.
type outcome struct {
	Code     uint32          `json:"code"`
	Details  string          `json:"details,omitempty"`
	Response json.RawMessage `json:"response,omitempty"`
}

// rpcs finds every method of the API by "group version rpc". Its files are named <group>/<version>/api.proto, most of
// them behind the path of the repository.
func rpcs() map[string]protoreflect.MethodDescriptor {
	found := map[string]protoreflect.MethodDescriptor{}
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		parts := strings.Split(file.Path(), "/")
		if len(parts) < 3 || parts[len(parts)-1] != "api.proto" {
			return true
		}
		group, version := parts[len(parts)-3], parts[len(parts)-2]
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				method := methods.Get(j)
				found[strings.Join([]string{group, version, string(method.Name())}, " ")] = method
			}
		}
		return true
	})
	return found
}

func invoke(method protoreflect.MethodDescriptor, pipe string, request json.RawMessage) (outcome, error) {
	input, err := protoregistry.GlobalTypes.FindMessageByName(method.Input().FullName())
	if err != nil {
		return outcome{}, err
	}
	output, err := protoregistry.GlobalTypes.FindMessageByName(method.Output().FullName())
	if err != nil {
		return outcome{}, err
	}
	in, out := input.New().Interface(), output.New().Interface()
	if err := protojson.Unmarshal(request, in); err != nil {
		return outcome{}, err
	}
	conn, err := grpc.NewClient("unix:"+pipe, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return outcome{}, err
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	path := fmt.Sprintf("/%s/%s", method.Parent().FullName(), method.Name())
	if err := conn.Invoke(ctx, path, in, out); err != nil {
		return outcome{Code: uint32(status.Code(err)), Details: status.Convert(err).Message()}, nil
	}
	response, err := protojson.MarshalOptions{UseProtoNames: true, EmitUnpopulated: true}.Marshal(out)
	return outcome{Response: response}, err
}

func run(pipeDir string) error {
	methods := rpcs()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var one call
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return err
		}
		name := strings.Join([]string{one.Group, one.Version, one.RPC}, " ")
		method, known := methods[name]
		if !known {
			return fmt.Errorf("the API has no rpc %s", name)
		}
		pipe := filepath.Join(pipeDir, fmt.Sprintf("csi-proxy-%s-%s.sock", one.Group, one.Version))
		result, err := invoke(method, pipe, one.Request)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
			return err
		}
	}
	return lines.Err()
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: interop PIPE_DIR | interop rpcs")
		os.Exit(2)
	}
	if os.Args[1] == "rpcs" {
		for name := range rpcs() {
			fmt.Println(name)
		}
		return
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
