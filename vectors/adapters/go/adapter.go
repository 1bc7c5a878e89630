// SPDX-License-Identifier: MIT

// Adapter between the package simhashdoc and the conformance tests of simhash-doc: JSON Lines on
// standard input and output, protocol version 1 of vectors/README.md. With the argument one-shot it
// reads one document and prints its fingerprint instead.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	simhash "simhashdoc.example/adapter/simhashdoc"
)

const operations = "decode classify normalise strip-locators tokenise token-hash lookup3 simhash draw minhash " +
	"truncate serialise parse parse-hex parse-label parse-labelled format-labelled compare tables unpermute probe " +
	"lookup fingerprint accumulate"

var (
	errUnsupported = errors.New("unsupported")
	errInput       = errors.New("a member of the input is missing or malformed")
	errDisagree    = errors.New("two functions of the package disagree")
)

// functions of the package by the operations that they answer.
var functions = map[string]string{
	"decode":          "Decode, DecodeUnits",
	"classify":        "Tables.Class",
	"normalise":       "Tables.Normalise",
	"strip-locators":  "StripLocators",
	"tokenise":        "Scheme.Tokenise",
	"token-hash":      "TokenHash",
	"lookup3":         "Lookup3",
	"simhash":         "Simhash",
	"draw":            "Draw",
	"minhash":         "MinHash.Add, MinHash.Fingerprint, MinHash.Draws",
	"truncate":        "Fingerprint.Truncate",
	"serialise":       "Fingerprint.Bare, Fingerprint.Hex",
	"parse":           "ParseBare",
	"parse-hex":       "ParseHex",
	"parse-label":     "ParseLabel",
	"parse-labelled":  "Parse",
	"format-labelled": "Fingerprint.String",
	"compare":         "Compare",
	"tables":          "Key, Permute",
	"unpermute":       "Unpermute",
	"probe":           "Probes",
	"lookup":          "Index.Add, Index.Lookup",
	"fingerprint":     "Scheme.Fingerprint, Scheme.FingerprintText",
}

type object = map[string]any

// input has the members of the inputs of all operations.
type input struct {
	Text, UTF8, UTF16, Hex, Label, Serialised, Labelled *string

	Fingerprint, Permuted, Query, A, B, PC, PB, Hash *string

	Hashes      []string
	Table, K, N *json.Number
	Entries     []struct {
		ID          string
		Fingerprint *string
	}
	Step        string
	Rule        rule
	Seed, Count uint64
}

// must passes a value on, or gives up with an error that the reply tells (see answer).
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// given is the value of a member that has to be there.
func given[T any](member *T) T {
	if member == nil {
		panic(errInput)
	}
	return *member
}

func number(n *json.Number) int {
	value, err := strconv.Atoi(given(n).String())
	if err != nil {
		return math.MaxInt // too large, or not an integer: out of every range
	}
	return value
}

func parseBits(digits *string, size int) uint64 {
	return must(strconv.ParseUint(given(digits), 16, size))
}

func hexList(numbers []uint64) []string {
	written := make([]string, len(numbers))
	for i, x := range numbers {
		written[i] = simhash.Hex(x)
	}
	return written
}

// octets of a text or of octets.
func (in *input) octets() []byte {
	if in.Text != nil {
		return []byte(*in.Text)
	}
	return must(hex.DecodeString(given(in.UTF8)))
}

// decoded is the text of a document, after step 1.
func (in *input) decoded() string {
	if in.Text != nil {
		return *in.Text
	} else if in.UTF8 != nil {
		return simhash.Decode(in.octets())
	}
	octets := must(hex.DecodeString(given(in.UTF16)))
	units := make([]uint16, len(octets)/2)
	for i := range units {
		units[i] = binary.BigEndian.Uint16(octets[2*i:])
	}
	return simhash.DecodeUnits(units)
}

// label is that of the input, in lower case.
func (in *input) label() string {
	if in.Label == nil {
		return simhash.BareLabel
	}
	return must(simhash.ParseLabel(*in.Label))
}

// hashList is the hashes of the input.
func (in *input) hashList() []uint64 {
	hashes := make([]uint64, len(in.Hashes))
	for i := range hashes {
		hashes[i] = parseBits(&in.Hashes[i], 64)
	}
	return hashes
}

// fingerprint makes one of a number or null.
func fingerprint(label string, digits *string) simhash.Fingerprint {
	label = must(simhash.ParseLabel(label))
	if digits == nil {
		return simhash.Fingerprint{}
	}
	return must(simhash.FromOctets(label, must(hex.DecodeString(*digits))))
}

// required is a fingerprint that exists.
func required(f simhash.Fingerprint) simhash.Fingerprint {
	must(f.Words())
	return f
}

// bits of a fingerprint of 64 bits that is not null.
func bits(digits *string) uint64 { return must(fingerprint(simhash.BareLabel, digits).Words())[0] }

// orNone gives a form of a fingerprint, or what stands for none.
func orNone(form string, none any) any {
	if form == "" {
		return none
	}
	return form
}

type adapter struct{ tables *simhash.Tables }

func (a adapter) scheme(in *input) *simhash.Scheme { return must(a.tables.Scheme(in.label())) }

// run is one operation. It panics with an error of simhash or of the adapter.
func (a adapter) run(operation string, in *input) object {
	switch operation {
	case "decode":
		return object{"text": in.decoded()}
	case "classify":
		classes := []string{}
		for _, c := range given(in.Text) {
			classes = append(classes, must(a.tables.Class(int(c))).String())
		}
		return object{"classes": classes}
	case "normalise":
		return object{"text": a.tables.Normalise(given(in.Text))}
	case "strip-locators":
		return object{"text": simhash.StripLocators(given(in.Text))}
	case "tokenise":
		return object{"tokens": a.scheme(in).Tokenise(given(in.Text))}
	case "token-hash":
		return object{"hash": simhash.Hex(simhash.TokenHash(in.octets()))}
	case "lookup3":
		c, b := simhash.Lookup3(in.octets(), uint32(parseBits(in.PC, 32)), uint32(parseBits(in.PB, 32)))
		return object{"c": fmt.Sprintf("%08x", c), "b": fmt.Sprintf("%08x", b)}
	case "simhash":
		hashes := in.hashList()
		if strings.HasPrefix(in.label(), simhash.MinhashLabel) {
			panic(errUnsupported)
		}
		return simhashOf(hashes)
	case "draw":
		return object{"draw": simhash.Hex(must(simhash.Draw(parseBits(in.Hash, 64), number(in.N))))}
	case "minhash":
		hashes, label := in.hashList(), must(simhash.ParseLabel(given(in.Label)))
		if !strings.HasPrefix(label, simhash.MinhashLabel) {
			panic(errUnsupported)
		}
		m := minhashOf(label, hashes)
		return object{"fingerprint": orNone(m.Fingerprint().Hex(), nil), "draws": hexList(m.Draws())}
	case "truncate":
		return object{"fingerprint": must(fingerprint(simhash.Minhash256Label, in.Fingerprint).Truncate()).Hex()}
	case "serialise":
		f := required(fingerprint(in.label(), in.Fingerprint))
		return object{"text": f.Bare(), "hex": f.Hex()}
	case "parse":
		return object{"fingerprint": must(simhash.ParseBare(in.label(), given(in.Serialised))).Hex()}
	case "parse-hex":
		return object{"fingerprint": must(simhash.ParseHex(in.label(), given(in.Hex))).Hex()}
	case "parse-label":
		return object{"label": must(simhash.ParseLabel(given(in.Label)))}
	case "parse-labelled":
		f := must(simhash.Parse(given(in.Labelled)))
		return object{"label": f.Label(), "fingerprint": f.Hex()}
	case "format-labelled":
		return object{"labelled": required(fingerprint(given(in.Label), in.Fingerprint)).String()}
	case "compare":
		var sides [2]simhash.Fingerprint
		for i, side := range []*string{in.A, in.B} {
			if side == nil {
				panic(simhash.NoFingerprint)
			}
			sides[i] = must(simhash.Parse(*side))
		}
		c := must(simhash.Compare(sides[0], sides[1]))
		return object{"distance": c.Distance, "similarity": c.Similarity, "verdict": c.Verdict}
	case "tables":
		keys, permuted := keysOf(bits(in.Fingerprint))
		return object{"keys": keys, "permuted": hexList(permuted)}
	case "unpermute":
		f := must(simhash.Unpermute(parseBits(in.Permuted, 64), number(in.Table)))
		return object{"fingerprint": simhash.Hex(f)}
	case "probe":
		count, digest := probe(bits(in.Fingerprint), number(in.Table), number(in.K))
		return object{"count": count, "digest": digest}
	case "lookup":
		return lookup(in)
	case "fingerprint":
		return a.fingerprint(in)
	case "accumulate":
		return a.accumulate(in)
	}
	panic(errUnsupported)
}

func simhashOf(hashes []uint64) object {
	bits, counters := simhash.Simhash(hashes)
	if len(hashes) == 0 {
		return object{"fingerprint": nil, "counters": counters}
	}
	return object{"fingerprint": simhash.Hex(bits), "counters": counters}
}

func minhashOf(label string, hashes []uint64) *simhash.MinHash {
	m := must(simhash.NewMinHash(label))
	for _, hash := range hashes {
		m.Add(hash)
	}
	return m
}

func keysOf(f uint64) (keys []uint32, permuted []uint64) {
	for t := 0; t < simhash.NumTables; t++ {
		keys = append(keys, must(simhash.Key(f, t)))
		permuted = append(permuted, must(simhash.Permute(f, t)))
	}
	return keys, permuted
}

func probe(f uint64, table, k int) (count int, digest string) {
	probes, err := simhash.Probes(f, table, k)
	if err == simhash.ErrTooMuchWork {
		err = errUnsupported
	}
	var octets []byte
	for _, key := range must(probes, err) {
		octets = binary.BigEndian.AppendUint32(octets, key)
	}
	return len(probes), simhash.Hex(simhash.TokenHash(octets))
}

func lookup(in *input) object {
	label := in.label()
	index := must(simhash.NewIndex(label))
	for _, entry := range in.Entries {
		if err := index.Add(entry.ID, fingerprint(label, entry.Fingerprint)); err != nil {
			panic(err)
		}
	}
	k := simhash.DefaultDistance
	if in.K != nil {
		k = number(in.K)
	}
	matches := []object{}
	for _, m := range must(index.Lookup(fingerprint(label, in.Query), k)) {
		matches = append(matches, object{"id": m.ID, "fingerprint": m.Fingerprint.Hex(), "distance": m.Distance})
	}
	return object{"completeTo": simhash.CompleteTo, "matches": matches}
}

func (a adapter) fingerprint(in *input) object {
	decoded, scheme := in.decoded(), a.scheme(in)
	normalised := a.tables.Normalise(decoded)
	stripped := simhash.StripLocators(normalised)
	tokens := scheme.Tokenise(stripped)
	hashes := make([]uint64, len(tokens))
	for i, token := range tokens {
		hashes[i] = simhash.TokenHash(token)
	}
	f := scheme.FingerprintText(decoded) // the fingerprint itself takes the way of a caller of the library
	if in.UTF16 == nil && scheme.Fingerprint(in.octets()).String() != f.String() {
		panic(errDisagree)
	}
	found := object{
		"decoded": decoded, "normalised": normalised, "stripped": stripped, "tokens": tokens,
		"hashes": hexList(hashes), "tokenCount": len(tokens),
		"fingerprint": orNone(f.Bare(), nil), "octets": orNone(f.Hex(), nil), "hex": orNone(f.Hex(), nil),
	}
	label := in.label()
	if strings.HasPrefix(label, simhash.MinhashLabel) {
		found["draws"] = hexList(minhashOf(label, hashes).Draws())
	} else {
		found["counters"] = simhashOf(hashes)["counters"]
	}
	if label != simhash.Minhash256Label {
		found["keys"] = nil
		if f.Exists() {
			found["keys"], _ = keysOf(must(f.Words())[0])
		}
	}
	return found
}

// ------------------------------------------------------------------------------------- accumulated

type rule struct {
	Rule                   string
	Least, Most            uint64
	Vocabulary, Separators []string
	Ranges                 [][]uint64
}

type splitmix64 uint64

func (state *splitmix64) below(n int) int { return int(state.next() % uint64(n)) }

func (state *splitmix64) next() uint64 {
	*state += 0x9E3779B97F4A7C15
	z := uint64(*state)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// build applies a generating rule; texts as UTF-8.
func (r *rule) build(seed, count uint64) []byte {
	state := splitmix64(seed)
	var out []byte
	for i := uint64(0); i < count; i++ {
		switch r.Rule {
		case "octets":
			out = append(out, byte(state.below(256)))
		case "words":
			if i > 0 {
				out = append(out, r.Separators[state.below(len(r.Separators))]...)
			}
			out = append(out, r.Vocabulary[state.below(len(r.Vocabulary))]...)
		case "code-points":
			out = append(out, string(r.codePoint(&state))...)
		default:
			panic(errUnsupported)
		}
	}
	return out
}

func (r *rule) codePoint(state *splitmix64) rune {
	size := func(a []uint64) uint64 {
		if len(a) > 2 {
			return (a[1] - a[0] + 1) * a[2]
		}
		return a[1] - a[0] + 1
	}
	n := uint64(0)
	for _, a := range r.Ranges {
		n += size(a)
	}
	x := state.next() % n
	for _, a := range r.Ranges {
		if x < size(a) {
			return rune(a[0] + x%(a[1]-a[0]+1))
		}
		x -= size(a)
	}
	panic(errInput)
}

func (a adapter) accumulate(in *input) object {
	bare := must(a.tables.Scheme(simhash.BareLabel))
	lines := sha256.New()
	for i := uint64(0); i < in.Count; i++ {
		built := in.Rule.build(in.Seed+i, in.Rule.Least+i%(in.Rule.Most-in.Rule.Least+1))
		fmt.Fprintln(lines, a.line(in.Step, in.Rule.Rule == "octets", bare, built, i))
	}
	return object{"digest": hex.EncodeToString(lines.Sum(nil))}
}

// line is the outcome of case i of an accumulated vector.
func (a adapter) line(step string, isOctets bool, bare *simhash.Scheme, built []byte, i uint64) any {
	switch step {
	case "decode":
		return fmt.Sprintf("%x", simhash.Decode(built))
	case "classify":
		letters := []byte{}
		for _, c := range string(built) {
			letters = append(letters, must(a.tables.Class(int(c))).String()[0])
		}
		return string(letters)
	case "normalise":
		return fmt.Sprintf("%x", a.tables.Normalise(string(built)))
	case "strip-locators":
		return fmt.Sprintf("%x", simhash.StripLocators(string(built)))
	case "tokenise":
		tokens := bare.Tokenise(string(built))
		for i, token := range tokens {
			tokens[i] = fmt.Sprintf("%x", token)
		}
		return strings.Join(tokens, " ")
	case "token-hash":
		return simhash.Hex(simhash.TokenHash(built))
	case "simhash":
		hashes := make([]uint64, len(built)/8)
		for i := range hashes {
			hashes[i] = binary.BigEndian.Uint64(built[8*i:])
		}
		if len(hashes) == 0 {
			return "-"
		}
		return simhashOf(hashes)["fingerprint"]
	case "serialise":
		f := must(simhash.FromOctets(simhash.BareLabel, built))
		return f.Bare() + " " + f.Hex()
	case "parse":
		f, err := simhash.ParseBare(simhash.BareLabel, string(built))
		if err != nil {
			return err
		}
		return f.Hex()
	case "tables":
		keys, permuted := keysOf(binary.BigEndian.Uint64(built))
		return strings.Trim(fmt.Sprint(keys), "[]") + " " + strings.Join(hexList(permuted), " ")
	case "probe":
		count, digest := probe(binary.BigEndian.Uint64(built), int(i%16), int(i/16%8))
		return fmt.Sprint(count, " ", digest)
	case "fingerprint":
		f := bare.FingerprintText(string(built))
		if isOctets {
			f = bare.Fingerprint(built)
		}
		return orNone(f.Bare(), "-")
	}
	panic(errUnsupported)
}

// ---------------------------------------------------------------------------------------- protocol

// answer makes a reply; refusals and faults arrive as panics.
func (a adapter) answer(line []byte) (reply object) {
	var asked struct {
		ID, Op string
		Input  json.RawMessage
	}
	defer func() {
		fault := recover()
		if fault == errUnsupported {
			reply = object{"id": asked.ID, "unsupported": true}
		} else if code, refused := fault.(simhash.Code); refused {
			reply = object{"id": asked.ID, "error": object{"code": code}}
		} else if fault != nil {
			reply = object{"id": asked.ID, "error": object{"code": "internal", "message": fmt.Sprint(fault)}}
		}
	}()
	var in input
	if err := json.Unmarshal(line, &asked); err != nil {
		panic(err)
	}
	if asked.Op == "hello" {
		return object{"id": asked.ID, "ok": object{
			"name": "simhashdoc", "version": "0.1.0", "language": "Go", "protocol": 1, "unicode": simhash.UnicodeVersion,
			"operations": strings.Fields(operations), "labels": simhash.Labels(),
			"declines": []string{}, "functions": functions,
		}}
	}
	if err := json.Unmarshal(asked.Input, &in); err != nil {
		panic(err)
	}
	return object{"id": asked.ID, "ok": a.run(asked.Op, &in)}
}

func (a adapter) serve(in io.Reader, out io.Writer) error {
	reader, writer := bufio.NewReader(in), bufio.NewWriter(out)
	encoder := json.NewEncoder(writer) // ends each reply with LF
	encoder.SetEscapeHTML(false)
	for {
		line, readErr := reader.ReadBytes('\n') // a Scanner would stop at long lines
		if len(line) > 0 {
			if err := errors.Join(encoder.Encode(a.answer(line)), writer.Flush()); err != nil {
				return err
			}
		}
		if readErr == io.EOF {
			return nil
		} else if readErr != nil {
			return readErr
		}
	}
}

// oneShot reads a document and prints its fingerprint, or an empty line.
func (a adapter) oneShot(in io.Reader, out io.Writer) error {
	octets, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, a.scheme(&input{}).Fingerprint(octets).Bare())
	return err
}

func main() {
	tables, err := simhash.Load()
	if err == nil && len(os.Args) > 1 && os.Args[1] == "one-shot" {
		err = adapter{tables}.oneShot(os.Stdin, os.Stdout)
	} else if err == nil {
		err = adapter{tables}.serve(os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "adapter:", err)
		os.Exit(1)
	}
}
