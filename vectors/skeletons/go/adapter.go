// Adapter between an implementation of simhash-doc in Go and its conformance tests.
//
// It speaks the adapter protocol, version 1 (spec/conformance.md): JSON Lines on standard input and
// output, one reply for each request. Only the standard library is used, Go 1.18 or later.
//
//	go build -o adapter adapter.go
//	simhash-doc conformance smoke -- ./adapter      checks the plumbing alone
//	simhash-doc conformance -- ./adapter            tells what is right and what goes wrong first
//
// What to do: call your implementation in tokenHash below, then add one operation after the other
// to operations. What is not in there is not tested, and not counted as wrong.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
)

const (
	name    = "my-implementation"
	version = "0.0.0"
)

// unicodeVersion is that of the library that NFC comes from, such as
// golang.org/x/text/unicode/norm.Version; nil if there is none.
var unicodeVersion *string

// refusal is the error for an input that is refused: one of the codes of the specification, section
// Errors.
type refusal string

func (code refusal) Error() string { return string(code) }

// -------------------------------------------------------------------------------------------- your implementation

// tokenHash is step 7: the hash of a token, given as its octets in UTF-8.
func tokenHash(octets []byte) uint64 {
	return 0 // CALL YOUR IMPLEMENTATION HERE
}

// ----------------------------------------------------------------------------------------------------- operations
// Each takes the "input" of a request and returns the "ok" of its reply, or a refusal. The table in
// spec/conformance.md, section Operations, says what both hold.

type result = map[string]interface{}

var operations = map[string]func(input json.RawMessage) (result, error){
	"token-hash": func(input json.RawMessage) (result, error) {
		octets, err := octetsOf(input)
		if err != nil {
			return nil, err
		}
		return result{"hash": hex16(tokenHash(octets))}, nil
	},

	// The next ones could be:
	//
	// "parse": func(input json.RawMessage) (result, error) {
	// 	var data struct{ Serialised string }
	// 	if err := json.Unmarshal(input, &data); err != nil {
	// 		return nil, err
	// 	}
	// 	fingerprint, ok := myParse(data.Serialised)
	// 	if !ok {
	// 		return nil, refusal("invalid-fingerprint")
	// 	}
	// 	return result{"fingerprint": hex16(fingerprint)}, nil
	// },
	//
	// "fingerprint", with a text of 13 characters or nil under "fingerprint". With "decoded",
	// "normalised", "stripped", "tokens", "hashes" and "counters" beside it, where you have them, the
	// runner can name the step that goes wrong.
}

// octetsOf gives the octets of an input that is a text or octets.
func octetsOf(input json.RawMessage) ([]byte, error) {
	var data struct {
		Text *string `json:"text"`
		UTF8 *string `json:"utf8"`
	}
	if err := json.Unmarshal(input, &data); err != nil {
		return nil, err
	}
	if data.Text != nil {
		return []byte(*data.Text), nil
	}
	if data.UTF8 == nil {
		return nil, errors.New("expected an input with \"text\" or \"utf8\"")
	}
	return hex.DecodeString(*data.UTF8)
}

// hex16 writes 64 bits as the protocol does.
func hex16(number uint64) string { return fmt.Sprintf("%016x", number) }

// ------------------------------------------------------------------------------------------------------- protocol

type request struct {
	ID    string          `json:"id"`
	Op    string          `json:"op"`
	Input json.RawMessage `json:"input"`
}

func hello() result {
	offered := []string{}
	for operation := range operations {
		offered = append(offered, operation)
	}
	sort.Strings(offered)
	return result{
		"name":       name,
		"version":    version,
		"language":   "Go",
		"protocol":   1,
		"unicode":    unicodeVersion,
		"operations": offered,
	}
}

func answer(asked request) (result, error) {
	if asked.Op == "hello" {
		return result{"id": asked.ID, "ok": hello()}, nil
	}
	operation, offered := operations[asked.Op]
	if !offered {
		return result{"id": asked.ID, "unsupported": true}, nil
	}
	found, err := operation(asked.Input)
	var refused refusal
	if errors.As(err, &refused) {
		return result{"id": asked.ID, "error": result{"code": string(refused)}}, nil
	}
	if err != nil {
		return nil, err
	}
	return result{"id": asked.ID, "ok": found}, nil
}

func run(in io.Reader, out io.Writer) error {
	// A bufio.Scanner would stop at long lines.
	reader := bufio.NewReader(in)
	// Encode ends each reply with a line end, and os.Stdout is not buffered.
	encoder := json.NewEncoder(out)
	for {
		line, readErr := reader.ReadBytes('\n')
		if len(line) > 0 {
			var asked request
			if err := json.Unmarshal(line, &asked); err != nil {
				return err
			}
			reply, err := answer(asked)
			if err != nil {
				return err
			}
			if err := encoder.Encode(reply); err != nil {
				return err
			}
		}
		if readErr == io.EOF {
			return nil
		}
		if readErr != nil {
			return readErr
		}
	}
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "adapter:", err)
		os.Exit(1)
	}
}
