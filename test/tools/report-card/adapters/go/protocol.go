// The adapter protocol (vectors/README.md) for Go modules.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
)

// input holds the members of the inputs that these adapters read.
type input struct {
	Text, Utf8, A, B *string
	Tokens, Hashes   []string
}

type object map[string]any

// operation answers a request; nil means that it is not offered for this input.
type operation func(input) object

func hex16(number uint64) string { return fmt.Sprintf("%016x", number) }

func numberOf(digits string) uint64 {
	number, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		panic(err)
	}
	return number
}

// octets returns those of a text or of hexadecimal digits; ok is false for input in UTF-16.
func (in input) octets() (octets []byte, ok bool) {
	if in.Text != nil {
		return []byte(*in.Text), true
	}
	if in.Utf8 == nil {
		return nil, false
	}
	octets, err := hex.DecodeString(*in.Utf8)
	return octets, err == nil
}

// serve answers requests by functions, one for each operation.
func serve(name, version string, operations map[string]operation) {
	names := []string{}
	for name := range operations {
		names = append(names, name)
	}
	operations["hello"] = func(input) object {
		return object{"name": name, "version": version, "language": "Go", "protocol": 1, "unicode": nil, "operations": names}
	}
	in, out := bufio.NewReaderSize(os.Stdin, 1<<20), json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var request struct {
			Id, Op string
			Input  input
		}
		if err := json.Unmarshal(line, &request); err != nil {
			panic(err)
		}
		var result object
		if run, ok := operations[request.Op]; ok {
			result = run(request.Input)
		}
		if result == nil {
			out.Encode(object{"id": request.Id, "unsupported": true})
		} else {
			out.Encode(object{"id": request.Id, "ok": result})
		}
	}
}
