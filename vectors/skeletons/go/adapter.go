// Adapter between an implementation of simhash-doc in Go and the conformance tests.
//
// It speaks the adapter protocol, version 1 (vectors/README.md): JSON Lines on standard input and
// output, one reply for each request. It needs Go 1.18 or later and only the standard library.
//
//	go build -o adapter .
//	simhash-doc conformance --bail -- ./adapter      stops at the first failure
//	simhash-doc conformance -- ./adapter             runs all vectors
//
// What to do: replace the "err = errUnsupported" in the functions below by calls of your
// implementation, in any order. Operations that return errUnsupported are not tested and do not
// count as wrong; you may also return it for single inputs. But a class needs every vector of its
// operations, except inputs of the kinds in declines.
//
// To offer other labels than simhash-doc, add them to labels; the functions that take a label then
// get them, in lower case.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strconv"
)

const (
	name    = "my-implementation"
	version = "0.0.0"
)

// labels are those that are offered, of simhash-doc, simhash-doc+bg1, minhash-doc and
// minhash-doc-256.
var labels = []string{"simhash-doc"}

// declines are the kinds of inputs that are declined (vectors/README.md, "Declined inputs"), such
// as "utf16" for an implementation that takes octets only.
var declines = []string{}

// functions are those of the product by the operations that they answer, such as "fingerprint":
// "Fingerprint".
var functions = map[string]string{}

// unicodeVersion is that of the library that NFC comes from, such as
// golang.org/x/text/unicode/norm.Version, or nil.
var unicodeVersion *string

// errUnsupported says that an operation is not implemented, or not for this input.
var errUnsupported = errors.New("unsupported")

// refusal is the error for an input that is refused, with a code of the specification, section
// Errors: return refusal("invalid-fingerprint").
type refusal string

func (code refusal) Error() string { return string(code) }

// -------------------------------------------------------------------------------- your implementation
// A fingerprint is one word of 64 bits, or four under minhash-doc-256; nil stands for that of a document
// without one.

// decode is step 1.
func decode(octets []byte) (text string, err error) {
	err = errUnsupported
	return
}

// decodeUnits is step 1 for 16-bit units.
func decodeUnits(units []uint16) (text string, err error) {
	err = errUnsupported
	return
}

// classify is step 2: "letter", "word", "break", "ignorable" or "unassigned" for each code point.
func classify(text string) (classes []string, err error) {
	err = errUnsupported
	return
}

// normalise is step 3.
func normalise(text string) (normalised string, err error) {
	err = errUnsupported
	return
}

// stripLocators is step 4.
func stripLocators(text string) (stripped string, err error) {
	err = errUnsupported
	return
}

// tokenise is step 5.
func tokenise(text, label string) (tokens []string, err error) {
	err = errUnsupported
	return
}

// tokenHash is step 7.
func tokenHash(octets []byte) (hash uint64, err error) {
	err = errUnsupported
	return
}

// lookup3 is step 7 with initial values.
func lookup3(octets []byte, pc, pb uint32) (c, b uint32, err error) {
	err = errUnsupported
	return
}

// simhash is step 8.
func simhash(hashes []uint64) (fingerprint *uint64, counters [64]int64, err error) {
	err = errUnsupported
	return
}

// draw is S(element, n) of minhash-doc.
func draw(element uint64, n int) (number uint64, err error) {
	err = errUnsupported
	return
}

// minhash is that of minhash-doc: the fingerprint, and the winning draws, bin 0 of word 0 first.
func minhash(hashes []uint64, label string) (fingerprint, draws []uint64, err error) {
	err = errUnsupported
	return
}

// truncate gives the fingerprint of minhash-doc that one of minhash-doc-256 begins with.
func truncate(fingerprint []uint64) (truncated uint64, err error) {
	err = errUnsupported
	return
}

// serialise is step 9: the 13 or 52 characters, and the hexadecimal form.
func serialise(fingerprint []uint64, label string) (text, digits string, err error) {
	err = errUnsupported
	return
}

// parse is step 9, for 13 or 52 characters.
func parse(serialised, label string) (fingerprint []uint64, err error) {
	err = errUnsupported
	return
}

// parseHex is step 9, for the hexadecimal form.
func parseHex(digits, label string) (fingerprint []uint64, err error) {
	err = errUnsupported
	return
}

// parseLabel returns the label in lower case.
func parseLabel(label string) (lower string, err error) {
	err = errUnsupported
	return
}

// parseLabelled reads the labelled form.
func parseLabelled(labelled string) (label string, fingerprint []uint64, err error) {
	err = errUnsupported
	return
}

// formatLabelled writes the labelled form.
func formatLabelled(label string, fingerprint []uint64) (labelled string, err error) {
	err = errUnsupported
	return
}

// compare is step 10, for two labelled forms or nil: the verdict is "close", "loose" or "none".
func compare(a, b *string) (distance int, similarity float64, verdict string, err error) {
	err = errUnsupported
	return
}

// tables is step 11: the keys and the permuted fingerprints of the 16 tables.
func tables(fingerprint *uint64) (keys [16]uint32, permuted [16]uint64, err error) {
	err = errUnsupported
	return
}

// unpermute is step 11.
func unpermute(permuted uint64, table int) (fingerprint uint64, err error) {
	err = errUnsupported
	return
}

// probe is step 11: the number of probes, and their token hash.
func probe(fingerprint *uint64, table, k int) (count int, digest uint64, err error) {
	err = errUnsupported
	return
}

type entry struct {
	id          string
	fingerprint []uint64
}

type match struct {
	id          string
	fingerprint []uint64
	distance    int
}

// lookup is step 11: completeTo is the k of the answer.
func lookup(entries []entry, query []uint64, k int, label string) (completeTo int, matches []match, err error) {
	err = errUnsupported
	return
}

// fingerprintOf is steps 1 to 9: a result with "fingerprint", the 13 or 52 characters or nil. Add
// "decoded", "normalised", "stripped", "tokens", "hashes" (hex16), and "counters" or "draws" (hex16) if
// you have them: they show which step goes wrong.
func fingerprintOf(octets []byte, label string) (found result, err error) {
	err = errUnsupported
	return
}

// fingerprintOfUnits is steps 1 to 9 for 16-bit units.
func fingerprintOfUnits(units []uint16, label string) (found result, err error) {
	err = errUnsupported
	return
}

// accumulate runs many cases of one step (vectors/README.md, section Accumulated vectors).
func accumulate(step string, rule json.RawMessage, seed uint32, count int) (digest string, err error) {
	err = errUnsupported
	return
}

// extract is extraction and steps 1 to 9: the 13 characters, or nil.
func extract(octets []byte, medium string) (serialised *string, err error) {
	err = errUnsupported
	return
}

// extractHTML is the HTML profile: the tokens, and the 13 characters or nil.
func extractHTML(octets []byte, charset *string) (tokens []string, serialised *string, err error) {
	err = errUnsupported
	return
}

// ----------------------------------------------------------------------------------------- operations
// Each takes the "input" of a request and returns the "ok" of its reply (vectors/README.md, section
// Operations).

type result = map[string]interface{}

// input has the members that an operation may take.
type input struct {
	Text        *string
	UTF8        *string
	UTF16       *string
	PC, PB      string
	Hash        string
	N           int
	Hashes      []string
	Fingerprint *string
	Serialised  string
	Hex         string
	Label       string
	Labelled    string
	A, B        *string
	Permuted    string
	Table       int
	K           *int
	Entries     []struct {
		ID          string
		Fingerprint *string
	}
	Query   *string
	Step    string
	Rule    json.RawMessage
	Seed    uint32
	Count   int
	Base64  string
	Type    string
	Charset *string
}

func (data input) text() (string, error) {
	if data.Text == nil {
		return "", errors.New("expected an input with \"text\"")
	}
	return *data.Text, nil
}

func (data input) octets() ([]byte, error) {
	if data.Text != nil {
		return []byte(*data.Text), nil
	}
	if data.UTF8 == nil {
		return nil, errors.New("expected an input with \"text\" or \"utf8\"")
	}
	return hex.DecodeString(*data.UTF8)
}

func (data input) units() ([]uint16, error) {
	units := []uint16{}
	for at := 0; at+4 <= len(*data.UTF16); at += 4 {
		unit, err := strconv.ParseUint((*data.UTF16)[at:at+4], 16, 16)
		if err != nil {
			return nil, err
		}
		units = append(units, uint16(unit))
	}
	return units, nil
}

func numberOf(digits string) (uint64, error) { return strconv.ParseUint(digits, 16, 64) }

// wordIn reads 64 bits that may be null.
func wordIn(digits *string) (*uint64, error) {
	if digits == nil {
		return nil, nil
	}
	number, err := numberOf(*digits)
	return &number, err
}

// fingerprintIn reads a fingerprint that may be null.
func fingerprintIn(digits *string) ([]uint64, error) {
	if digits == nil {
		return nil, nil
	}
	words := []uint64{}
	for at := 0; at+16 <= len(*digits); at += 16 {
		word, err := numberOf((*digits)[at : at+16])
		if err != nil {
			return nil, err
		}
		words = append(words, word)
	}
	return words, nil
}

func numbersOf(digits []string) ([]uint64, error) {
	numbers := []uint64{}
	for _, each := range digits {
		number, err := numberOf(each)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, number)
	}
	return numbers, nil
}

// label is that of an operation.
func (data input) label() string {
	if data.Label == "" {
		return "simhash-doc"
	}
	return data.Label
}

// hexOf writes a fingerprint that may be nil.
func hexOf(fingerprint []uint64) interface{} {
	if fingerprint == nil {
		return nil
	}
	digits := ""
	for _, word := range fingerprint {
		digits += hex16(word)
	}
	return digits
}

// hex16s writes numbers of 64 bits.
func hex16s(numbers []uint64) []string {
	digits := []string{}
	for _, number := range numbers {
		digits = append(digits, hex16(number))
	}
	return digits
}

// hex16 writes 64 bits.
func hex16(number uint64) string { return fmt.Sprintf("%016x", number) }

// hex8 writes 32 bits.
func hex8(number uint32) string { return fmt.Sprintf("%08x", number) }

// hex16OrNull writes a fingerprint that may be nil.
func hex16OrNull(number *uint64) interface{} {
	if number == nil {
		return nil
	}
	return hex16(*number)
}

// list makes a nil slice an empty list instead of null.
func list(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}

// onText makes an operation from text to text.
func onText(member string, run func(string) (string, error)) func(input) (result, error) {
	return func(data input) (result, error) {
		text, err := data.text()
		if err != nil {
			return nil, err
		}
		found, err := run(text)
		return result{member: found}, err
	}
}

// onWord makes an operation that takes a fingerprint of 64 bits, which may be null.
func onWord(run func(*uint64, input) (result, error)) func(input) (result, error) {
	return func(data input) (result, error) {
		fingerprint, err := wordIn(data.Fingerprint)
		if err != nil {
			return nil, err
		}
		return run(fingerprint, data)
	}
}

// onFingerprint makes an operation that takes a fingerprint, which may be null.
func onFingerprint(run func([]uint64, input) (result, error)) func(input) (result, error) {
	return func(data input) (result, error) {
		fingerprint, err := fingerprintIn(data.Fingerprint)
		if err != nil {
			return nil, err
		}
		return run(fingerprint, data)
	}
}

// toFingerprint makes the result of an operation that gives a fingerprint.
func toFingerprint(fingerprint []uint64, err error) (result, error) {
	return result{"fingerprint": hexOf(fingerprint)}, err
}

var operations = map[string]func(data input) (result, error){
	"decode":         operationDecode,
	"classify":       operationClassify,
	"normalise":      onText("text", normalise),
	"strip-locators": onText("text", stripLocators),
	"tokenise":       operationTokenise,
	"token-hash":     operationTokenHash,
	"lookup3":        operationLookup3,
	"simhash":        operationSimhash,
	"draw":           operationDraw,
	"minhash":        operationMinhash,
	"truncate": onFingerprint(func(fingerprint []uint64, _ input) (result, error) {
		truncated, err := truncate(fingerprint)
		return result{"fingerprint": hex16(truncated)}, err
	}),
	"serialise": onFingerprint(func(fingerprint []uint64, data input) (result, error) {
		text, digits, err := serialise(fingerprint, data.label())
		return result{"text": text, "hex": digits}, err
	}),
	"parse":     func(data input) (result, error) { return toFingerprint(parse(data.Serialised, data.label())) },
	"parse-hex": func(data input) (result, error) { return toFingerprint(parseHex(data.Hex, data.label())) },
	"parse-label": func(data input) (result, error) {
		label, err := parseLabel(data.Label)
		return result{"label": label}, err
	},
	"parse-labelled": func(data input) (result, error) {
		label, fingerprint, err := parseLabelled(data.Labelled)
		return result{"label": label, "fingerprint": hexOf(fingerprint)}, err
	},
	"format-labelled": onFingerprint(func(fingerprint []uint64, data input) (result, error) {
		labelled, err := formatLabelled(data.Label, fingerprint)
		return result{"labelled": labelled}, err
	}),
	"compare": func(data input) (result, error) {
		distance, similarity, verdict, err := compare(data.A, data.B)
		return result{"distance": distance, "similarity": similarity, "verdict": verdict}, err
	},
	"tables":       onWord(operationTables),
	"unpermute":    operationUnpermute,
	"probe":        onWord(operationProbe),
	"lookup":       operationLookup,
	"fingerprint":  operationFingerprint,
	"accumulate":   operationAccumulate,
	"extract":      operationExtract,
	"extract-html": operationExtractHTML,
}

func operationDecode(data input) (result, error) {
	if data.UTF16 != nil {
		units, err := data.units()
		if err != nil {
			return nil, err
		}
		text, err := decodeUnits(units)
		return result{"text": text}, err
	}
	octets, err := data.octets()
	if err != nil {
		return nil, err
	}
	text, err := decode(octets)
	return result{"text": text}, err
}

func operationClassify(data input) (result, error) {
	text, err := data.text()
	if err != nil {
		return nil, err
	}
	classes, err := classify(text)
	return result{"classes": list(classes)}, err
}

func operationTokenise(data input) (result, error) {
	text, err := data.text()
	if err != nil {
		return nil, err
	}
	tokens, err := tokenise(text, data.label())
	return result{"tokens": list(tokens)}, err
}

func operationTokenHash(data input) (result, error) {
	octets, err := data.octets()
	if err != nil {
		return nil, err
	}
	hash, err := tokenHash(octets)
	return result{"hash": hex16(hash)}, err
}

func operationLookup3(data input) (result, error) {
	octets, err := data.octets()
	if err != nil {
		return nil, err
	}
	pc, err := strconv.ParseUint(data.PC, 16, 32)
	if err != nil {
		return nil, err
	}
	pb, err := strconv.ParseUint(data.PB, 16, 32)
	if err != nil {
		return nil, err
	}
	c, b, err := lookup3(octets, uint32(pc), uint32(pb))
	return result{"c": hex8(c), "b": hex8(b)}, err
}

func operationSimhash(data input) (result, error) {
	hashes, err := numbersOf(data.Hashes)
	if err != nil {
		return nil, err
	}
	fingerprint, counters, err := simhash(hashes)
	return result{"fingerprint": hex16OrNull(fingerprint), "counters": counters}, err
}

func operationDraw(data input) (result, error) {
	element, err := numberOf(data.Hash)
	if err != nil {
		return nil, err
	}
	number, err := draw(element, data.N)
	return result{"draw": hex16(number)}, err
}

func operationMinhash(data input) (result, error) {
	hashes, err := numbersOf(data.Hashes)
	if err != nil {
		return nil, err
	}
	fingerprint, draws, err := minhash(hashes, data.Label)
	return result{"fingerprint": hexOf(fingerprint), "draws": hex16s(draws)}, err
}

func operationTables(fingerprint *uint64, _ input) (result, error) {
	keys, permuted, err := tables(fingerprint)
	return result{"keys": keys, "permuted": hex16s(permuted[:])}, err
}

func operationUnpermute(data input) (result, error) {
	permuted, err := numberOf(data.Permuted)
	if err != nil {
		return nil, err
	}
	fingerprint, err := unpermute(permuted, data.Table)
	return result{"fingerprint": hex16(fingerprint)}, err
}

func operationProbe(fingerprint *uint64, data input) (result, error) {
	if data.K == nil {
		return nil, errors.New("expected an input with \"k\"")
	}
	count, digest, err := probe(fingerprint, data.Table, *data.K)
	return result{"count": count, "digest": hex16(digest)}, err
}

func operationLookup(data input) (result, error) {
	entries := []entry{}
	for _, each := range data.Entries {
		fingerprint, err := fingerprintIn(each.Fingerprint)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{each.ID, fingerprint})
	}
	query, err := fingerprintIn(data.Query)
	if err != nil {
		return nil, err
	}
	k := 3
	if data.K != nil {
		k = *data.K
	}
	completeTo, matches, err := lookup(entries, query, k, data.label())
	found := []result{}
	for _, each := range matches {
		found = append(found, result{"id": each.id, "fingerprint": hexOf(each.fingerprint), "distance": each.distance})
	}
	return result{"completeTo": completeTo, "matches": found}, err
}

func operationFingerprint(data input) (result, error) {
	if data.UTF16 != nil {
		units, err := data.units()
		if err != nil {
			return nil, err
		}
		return fingerprintOfUnits(units, data.label())
	}
	octets, err := data.octets()
	if err != nil {
		return nil, err
	}
	return fingerprintOf(octets, data.label())
}

func operationAccumulate(data input) (result, error) {
	digest, err := accumulate(data.Step, data.Rule, data.Seed, data.Count)
	return result{"digest": digest}, err
}

func operationExtract(data input) (result, error) {
	octets, err := base64.StdEncoding.DecodeString(data.Base64)
	if err != nil {
		return nil, err
	}
	serialised, err := extract(octets, data.Type)
	return result{"fingerprint": serialised}, err
}

func operationExtractHTML(data input) (result, error) {
	octets, err := data.octets()
	if err != nil {
		return nil, err
	}
	tokens, serialised, err := extractHTML(octets, data.Charset)
	return result{"tokens": list(tokens), "fingerprint": serialised}, err
}

// ------------------------------------------------------------------------------------------- protocol

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
		"labels":     labels,
		"declines":   declines,
		"functions":  functions,
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
	var data input
	if err := json.Unmarshal(asked.Input, &data); err != nil {
		return nil, err
	}
	found, err := operation(data)
	if errors.Is(err, errUnsupported) {
		return result{"id": asked.ID, "unsupported": true}, nil
	}
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
	// Encode ends each reply with LF, and os.Stdout is not buffered.
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
