// SPDX-License-Identifier: MIT

// Package simhashdoc computes and compares fingerprints of simhash-doc and minhash-doc, version
// 1.0.0-rc.1 of the specification, from which alone it was written. The identifiers in comments, such as TOK-2, are
// its rules.
//
// A text is a string of valid UTF-8. Errors of the specification are of the type Code.
package simhashdoc

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Code is an error code of the specification. The set is closed.
type Code string

const (
	WrongType          Code = "wrong-type"
	OutOfRange         Code = "out-of-range"
	InvalidFingerprint Code = "invalid-fingerprint"
	InvalidLabel       Code = "invalid-label"
	LabelMismatch      Code = "label-mismatch"
	NoFingerprint      Code = "no-fingerprint"
)

func (c Code) Error() string { return string(c) }

// ErrTooMuchWork is this implementation's own limit, not a code of the specification.
var ErrTooMuchWork = errors.New("too-much-work")

// UnicodeVersion is that of the normalisation data.
const UnicodeVersion = norm.Version

// ------------------------------------------------------------------------------------------ tables

// Class is the class of a code point (step 2).
type Class uint8

const (
	Break Class = iota
	Letter
	Word
	Ignorable
	Unassigned
)

var classNames = [...]string{"break", "letter", "word", "ignorable", "unassigned"}

func (c Class) String() string { return classNames[c] }

// What a code point is in the variant bg1; these bits stand beside the class.
const (
	classBits uint8 = 7
	joined    uint8 = 8
	mark      uint8 = 16
)

// Tables holds the character data of the specification. It is read-only and may be shared.
type Tables struct {
	of [0x110000]uint8
}

const (
	wordClassesFile   = "word-classes.txt"
	wordClassesDigest = "1bb3e28272ea172e6b4605384f91a07d5be441cccfffb38bc2c84d50170175c8"
	bigramsFile       = "bigrams/bg1.txt"
	bigramsDigest     = "3a6cdd17cd50c15450f3f459e7b683492e6793c3e0f8409f8730a6731c23f918"
)

var loadOnce = sync.OnceValues(func() (*Tables, error) {
	folder := os.Getenv("SIMHASH_DOC_SPEC")
	if folder == "" {
		_, source, _, ok := runtime.Caller(0)
		if !ok || !filepath.IsAbs(source) { // built with -trimpath
			return nil, errors.New("simhashdoc: set SIMHASH_DOC_SPEC to the folder of the specification")
		}
		folder = filepath.Join(filepath.Dir(source), "../../../../spec")
	}
	return LoadFS(os.DirFS(folder))
})

// Load reads the tables once: from the folder SIMHASH_DOC_SPEC, otherwise from spec/ of the
// repository that holds this source file.
func Load() (*Tables, error) { return loadOnce() }

// LoadFS reads the tables from a file system with word-classes.txt and bigrams/bg1.txt, such as an
// embed.FS.
func LoadFS(folder fs.FS) (*Tables, error) {
	t := &Tables{}
	kinds := map[string]uint8{}
	for class, name := range classNames {
		kinds[name] = uint8(class)
	}
	if err := t.read(folder, wordClassesFile, wordClassesDigest, kinds); err != nil {
		return nil, err
	}
	if err := t.read(folder, bigramsFile, bigramsDigest, map[string]uint8{"joined": joined, "mark": mark}); err != nil {
		return nil, err
	}
	return t, nil
}

// read is CLS-1 and BIG-1. A file with the right digest has the right ranges.
func (t *Tables) read(folder fs.FS, name, digest string, kinds map[string]uint8) error {
	octets, err := fs.ReadFile(folder, name)
	if err != nil {
		return fmt.Errorf("simhashdoc: %w", err)
	}
	if sum := sha256.Sum256(octets); hex.EncodeToString(sum[:]) != digest {
		return fmt.Errorf("simhashdoc: %s is not the published file", name)
	}
	for _, line := range strings.Split(string(octets), "\n") {
		points, kind, isRange := strings.Cut(line, ";")
		if !isRange || line[0] == '#' {
			continue
		}
		first, last, _ := strings.Cut(points, "..")
		from, err1 := strconv.ParseUint(first, 16, 32)
		to, err2 := strconv.ParseUint(last, 16, 32)
		if err := errors.Join(err1, err2); err != nil {
			return fmt.Errorf("simhashdoc: %s: %w", name, err)
		}
		for ; from <= to; from++ {
			t.of[from] |= kinds[kind]
		}
	}
	return nil
}

// Class is step 2.
func (t *Tables) Class(codePoint int) (Class, error) {
	if codePoint < 0 || codePoint > 0x10FFFF {
		return Break, OutOfRange
	}
	return t.class(rune(codePoint)), nil
}

func (t *Tables) class(c rune) Class { return Class(t.of[c] & classBits) }

// ------------------------------------------------------------------------------------------ decode

// Decode is step 1 for octets (DEC-1 to DEC-3).
func Decode(octets []byte) string {
	octets = bytes.TrimPrefix(octets, []byte("\xEF\xBB\xBF"))
	if utf8.Valid(octets) {
		return string(octets)
	}
	var out strings.Builder
	out.Grow(len(octets) + len(octets)/8)
	for p := 0; p < len(octets); {
		c, size := utf8.DecodeRune(octets[p:])
		if c == utf8.RuneError && size == 1 {
			size = illFormed(octets[p:])
		}
		out.WriteRune(c)
		p += size
	}
	return out.String()
}

// illFormed is the length of the maximal ill-formed sequence at the start (DEC-2): the octets that
// could still become a sequence, which FullRune says of them; at least one.
func illFormed(octets []byte) int {
	r := 1
	for r < len(octets) && !utf8.FullRune(octets[:r+1]) {
		r++
	}
	return r
}

// DecodeUnits is step 1 for 16-bit units (DEC-4).
func DecodeUnits(units []uint16) string { return string(utf16.Decode(units)) }

// --------------------------------------------------------------------------------------- normalise

// Normalise is step 3 (NRM-1 to NRM-4).
func (t *Tables) Normalise(text string) string {
	var out strings.Builder
	done := 0
	for p, c := range text {
		if c < 0x80 {
			continue
		}
		class := t.class(c)
		if class != Unassigned && class != Ignorable {
			continue
		}
		out.WriteString(text[done:p])
		if class == Unassigned {
			out.WriteRune(utf8.RuneError)
		}
		done = p + utf8.RuneLen(c)
	}
	if done > 0 {
		out.WriteString(text[done:])
		text = out.String()
	}
	return nfc(text)
}

// maxTail is the number of code points that may follow the first of a segment that the library
// normalises. Each decomposes to three non-starters at most, so there are fewer than the 30 after
// which the library inserts U+034F.
const maxTail = 7

// nfc is Normalization Form C. A segment is a code point with all behind it that may interact with
// it. Long segments are composed here, and those beyond U+FFFF, of which the library composes as if
// they were 16-bit numbers (golang/go#81028); everything else by the library.
func nfc(text string) string {
	var out strings.Builder
	done, segment, tail, wide := 0, 0, 0, false
	end := func(p int) {
		if tail > maxTail || (tail > 0 && wide) {
			out.WriteString(norm.NFC.String(text[done:segment]))
			composeSegment(&out, text[segment:p])
			done = p
		}
		segment, tail, wide = p, 0, false
	}
	for p, c := range text {
		if c < 0x300 || norm.NFC.PropertiesString(text[p:]).BoundaryBefore() {
			end(p)
		} else {
			tail++
		}
		wide = wide || c > 0xFFFF
	}
	end(len(text))
	if done == 0 {
		return norm.NFC.String(text)
	}
	out.WriteString(norm.NFC.String(text[done:]))
	return out.String()
}

// composeSegment is the algorithm nfc of the specification; from the library it takes the
// decomposition of one code point, its combining class, and the composition of two.
func composeSegment(out *strings.Builder, segment string) {
	type point struct {
		c     rune
		class uint8
	}
	var points []point
	for p, c := range segment {
		decomposed := norm.NFC.PropertiesString(segment[p:]).Decomposition()
		if decomposed == nil { // a Hangul syllable too, which composes as it is
			decomposed = utf8.AppendRune(nil, c)
		}
		for len(decomposed) > 0 {
			d, size := utf8.DecodeRune(decomposed)
			points = append(points, point{d, norm.NFC.Properties(decomposed).CCC()})
			decomposed = decomposed[size:]
		}
	}
	for i := 0; i < len(points); i++ {
		j := i
		for j < len(points) && points[j].class > 0 {
			j++
		}
		slices.SortStableFunc(points[i:j], func(a, b point) int { return int(a.class) - int(b.class) })
		i = j
	}
	starter, last, size := -1, uint8(0), 0
	for _, next := range points {
		if starter >= 0 && (last == 0 || last < next.class) {
			if p, ok := compose(points[starter].c, next.c); ok {
				points[starter].c = p
				continue
			}
		}
		points[size], last = next, next.class
		if last == 0 {
			starter = size
		}
		size++
	}
	for _, each := range points[:size] {
		out.WriteRune(each.c)
	}
}

func compose(x, y rune) (rune, bool) {
	pair := string([]rune{x, y})
	composed := norm.NFC.String(pair)
	c, size := utf8.DecodeRuneInString(composed)
	return c, size == len(composed) && norm.NFD.String(composed) == norm.NFD.String(pair)
}

// ---------------------------------------------------------------------------------- strip locators

// Sets of octets in the grammar of step 4. Everything outside ASCII is in none.
const (
	setLetter uint8 = 1 << iota
	setDigit
	setHex
	setScheme // letter digit + . -
	setLocal
	setLabel
	setURIC
)

var sets = func() (of [256]uint8) {
	add := func(chars string, set uint8) {
		for _, c := range []byte(chars) {
			of[c] |= set
		}
	}
	letters := "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	digits := "0123456789"
	add(letters, setLetter|setScheme|setLocal|setLabel|setURIC)
	add(digits, setDigit|setHex|setScheme|setLocal|setLabel|setURIC)
	add("ABCDEFabcdef", setHex)
	add("+.-", setScheme)
	add("._%+-", setLocal)
	add("-", setLabel)
	add("-._~%:/?#[]@!$&'()*+,;=", setURIC)
	return of
}()

// prefixes of forms 2 and 3 by their first letter (LOC-6, LOC-7).
var prefixes = func() (of [256][]string) {
	for _, s := range strings.Fields("www. ark: arxiv: cid: data: did: doi: hdl: info: isbn: issn: " +
		"magnet: mailto: orcid: pmcid: pmid: swh: tel: urn:") {
		of[s[0]] = append(of[s[0]], s)
		of[s[0]-0x20] = append(of[s[0]-0x20], s)
	}
	return of
}()

type stripper struct {
	text                string
	dead1, dead4, dead5 int // how far a failed form has read (LOC-14)
}

// StripLocators is step 4 (LOC-1 to LOC-14). Locators are ASCII, so it works on octets.
func StripLocators(text string) string {
	var out strings.Builder
	s := stripper{text: text}
	done := 0
	for i := 0; i < len(text); {
		// LOC-1, LOC-2; each form begins with a code point of local.
		if sets[text[i]]&setLocal == 0 || i > 0 && s.in(i-1, setLetter|setDigit) {
			i++
			continue
		}
		e := s.match(i)
		if e < 0 {
			i++
			continue
		}
		out.WriteString(text[done:i])
		out.WriteByte(' ') // LOC-4
		i, done = e, e
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

func (s *stripper) in(i int, set uint8) bool { return i < len(s.text) && sets[s.text[i]]&set != 0 }

func (s *stripper) is(i int, c byte) bool { return i < len(s.text) && s.text[i] == c }

// run is the first position from i on that is not in the set.
func (s *stripper) run(i int, set uint8) int {
	for s.in(i, set) {
		i++
	}
	return i
}

// dotted extends a run that ends at e by "." and a run, any number of times.
func (s *stripper) dotted(e int, set uint8) int {
	for s.is(e, '.') && s.in(e+1, set) {
		e = s.run(e+1, set)
	}
	return e
}

// hasPrefix compares with ASCII in lower case (LOC-13).
func (s *stripper) hasPrefix(i int, prefix string) bool {
	if len(s.text)-i < len(prefix) {
		return false
	}
	for j := 0; j < len(prefix); j++ {
		c := s.text[i+j]
		if c >= 'A' && c <= 'Z' {
			c += 0x20
		}
		if c != prefix[j] {
			return false
		}
	}
	return true
}

// match is the end of the match at i, or -1 (LOC-3).
func (s *stripper) match(i int) int {
	if i >= s.dead1 && s.in(i, setLetter) { // LOC-5
		e := s.run(i, setScheme)
		if s.hasPrefix(e, "://") && s.in(e+3, setURIC) {
			return s.run(e+3, setURIC)
		}
		s.dead1 = e
	}
	for _, prefix := range prefixes[s.text[i]] { // LOC-6, LOC-7
		if e := i + len(prefix); s.hasPrefix(i, prefix) && s.in(e, setURIC) {
			return s.run(e, setURIC)
		}
	}
	if i >= s.dead4 && s.hasPrefix(i, "10.") { // LOC-8
		e := s.run(i+3, setDigit)
		if n := e - (i + 3); n >= 4 && n <= 9 {
			e = s.dotted(e, setDigit)
			if s.is(e, '/') && s.in(e+1, setURIC) {
				return s.run(e+1, setURIC)
			}
			s.dead4 = e
		}
	}
	if i >= s.dead5 { // LOC-9
		e := s.run(i, setLocal)
		s.dead5 = e
		if e > i && s.is(e, '@') && s.in(e+1, setLabel) {
			first := s.run(e+1, setLabel)
			if f := s.dotted(first, setLabel); f > first {
				return f
			}
		}
	}
	if e := s.uuid(i); e >= 0 { // LOC-10
		return e
	}
	e := s.run(i, setHex) // LOC-11, LOC-12
	if e-i >= 32 && strings.ContainsAny(s.text[i:e], "0123456789") && !s.in(e, setLetter|setDigit) {
		return e
	}
	return -1
}

// uuid is form 6 (LOC-10, LOC-12).
func (s *stripper) uuid(i int) int {
	for _, c := range "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh" {
		if c == '-' && !s.is(i, '-') || c == 'h' && !s.in(i, setHex) {
			return -1
		}
		i++
	}
	if s.in(i, setLetter|setDigit) {
		return -1
	}
	return i
}

// ------------------------------------------------------------------------------------------ labels

// The registered labels.
const (
	BareLabel       = "simhash-doc"
	BigramsLabel    = "simhash-doc+bg1"
	MinhashLabel    = "minhash-doc"
	Minhash256Label = "minhash-doc-256"
)

// Labels lists the registered labels, all of which are offered.
func Labels() []string {
	return []string{BareLabel, BigramsLabel, MinhashLabel, Minhash256Label}
}

const maxWords = 4

// wordsOf is the number of words of 64 bits in a fingerprint of a label.
func wordsOf(label string) int {
	if label == Minhash256Label {
		return maxWords
	}
	return 1
}

func isMinhash(label string) bool { return label == MinhashLabel || label == Minhash256Label }

// ParseLabel reads a label in any case and returns it in lower case (LAB-1, LAB-3).
func ParseLabel(label string) (string, error) {
	lower := []byte(label)
	for i, c := range lower {
		if c >= 'A' && c <= 'Z' {
			lower[i] = c + 0x20
		}
	}
	if !slices.Contains(Labels(), string(lower)) {
		return "", InvalidLabel
	}
	return string(lower), nil
}

// ------------------------------------------------------------------------- tokens and fingerprints

// Scheme computes the fingerprints of one label. It may be shared.
type Scheme struct {
	tables *Tables
	label  string
	bg1    bool
}

// Scheme gives the scheme of a registered label.
func (t *Tables) Scheme(label string) (*Scheme, error) {
	label, err := ParseLabel(label)
	if err != nil {
		return nil, err
	}
	return &Scheme{t, label, label != BareLabel}, nil // MIN-1
}

// Fingerprint is steps 1 to 8 for the octets of a text in UTF-8.
func (s *Scheme) Fingerprint(octets []byte) Fingerprint { return s.FingerprintText(Decode(octets)) }

// FingerprintText is steps 3 to 8 for a text.
func (s *Scheme) FingerprintText(text string) Fingerprint {
	stripped := StripLocators(s.tables.Normalise(text))
	if isMinhash(s.label) {
		m := newMinHash(s.label)
		s.eachToken(stripped, func(token string) { m.Add(TokenHash(token)) })
		return m.Fingerprint()
	}
	var sum counting
	s.eachToken(stripped, func(token string) { sum.count(TokenHash(token)) })
	return Fingerprint{words: [maxWords]uint64{sum.bits()}, label: s.label, exists: sum.hashes > 0}
}

// Tokenise is step 5: the tokens in their order.
func (s *Scheme) Tokenise(text string) []string {
	tokens := []string{}
	s.eachToken(text, func(token string) { tokens = append(tokens, token) })
	return tokens
}

// eachToken is TOK-1 to TOK-5, and BIG-1 to BIG-4. Step 6 drops nothing (STP-1).
func (s *Scheme) eachToken(text string, emit func(token string)) {
	start, hasLetter := -1, false
	end := func(p int) {
		if hasLetter && s.bg1 {
			s.bigrams(text[start:p], emit)
		} else if hasLetter {
			emit(text[start:p])
		}
		start, hasLetter = -1, false
	}
	for p, c := range text {
		switch s.tables.class(c) {
		case Letter:
			hasLetter = true
			fallthrough
		case Word:
			if start < 0 {
				start = p
			}
		default:
			end(p)
		}
	}
	end(len(text))
}

// bigrams cuts a token of step 5 (BIG-2 to BIG-4).
func (s *Scheme) bigrams(token string, emit func(token string)) {
	of := &s.tables.of
	before, unit, others := -1, -1, -1 // where the last two units of a run began, or a run of others
	hasLetter := false                 // among the others
	end := func(p int) {
		switch {
		case others >= 0 && hasLetter, others < 0 && before < 0 && unit >= 0:
			emit(token[max(others, unit):p])
		case before >= 0:
			emit(token[before:p])
		}
	}
	for p, c := range token {
		switch {
		case of[c]&joined != 0:
			if others >= 0 || before >= 0 {
				end(p)
			}
			before, unit, others = unit, p, -1
		case of[c]&mark != 0 && unit >= 0: // belongs to the unit
		default:
			if others < 0 {
				end(p)
				before, unit, others, hasLetter = -1, -1, p, false
			}
			hasLetter = hasLetter || s.tables.class(c) == Letter
		}
	}
	end(len(token))
}

// TokenHash is step 7 (HSH-1, HSH-2).
func TokenHash[T string | []byte](octets T) uint64 {
	c, b := Lookup3(octets, 0, 0)
	return uint64(b)<<32 | uint64(c)
}

// Lookup3 is hashlittle2 of Jenkins (HSH-3).
func Lookup3[T string | []byte](k T, pc, pb uint32) (c, b uint32) {
	word := func(p int) uint32 {
		return uint32(k[p]) | uint32(k[p+1])<<8 | uint32(k[p+2])<<16 | uint32(k[p+3])<<24
	}
	a := 0xdeadbeef + uint32(len(k)) + pc
	b, c = a, a+pb
	if len(k) == 0 {
		return c, b
	}
	p := 0
	for ; len(k)-p > 12; p += 12 {
		a, b, c = a+word(p), b+word(p+4), c+word(p+8)
		a, c = (a-c)^bits.RotateLeft32(c, 4), c+b
		b, a = (b-a)^bits.RotateLeft32(a, 6), a+c
		c, b = (c-b)^bits.RotateLeft32(b, 8), b+a
		a, c = (a-c)^bits.RotateLeft32(c, 16), c+b
		b, a = (b-a)^bits.RotateLeft32(a, 19), a+c
		c, b = (c-b)^bits.RotateLeft32(b, 4), b+a
	}
	var last [3]uint32
	for i := p; i < len(k); i++ {
		last[(i-p)/4] |= uint32(k[i]) << ((i - p) % 4 * 8)
	}
	a, b, c = a+last[0], b+last[1], c+last[2]
	c = (c ^ b) - bits.RotateLeft32(b, 14)
	a = (a ^ c) - bits.RotateLeft32(c, 11)
	b = (b ^ a) - bits.RotateLeft32(a, 25)
	c = (c ^ b) - bits.RotateLeft32(b, 16)
	a = (a ^ c) - bits.RotateLeft32(c, 4)
	b = (b ^ a) - bits.RotateLeft32(a, 14)
	c = (c ^ b) - bits.RotateLeft32(b, 24)
	return c, b
}

// counting is the state of step 8.
type counting struct {
	ones   [64]int64
	hashes int64
}

// count is SIM-2 and SIM-3.
func (sum *counting) count(hash uint64) {
	sum.hashes++
	for i := range sum.ones {
		sum.ones[i] += int64(hash >> (63 - i) & 1)
	}
}

// counters gives the counters of SIM-2: one up for each bit 1, one down for each bit 0.
func (sum *counting) counters() (v [64]int64) {
	for i, ones := range sum.ones {
		v[i] = 2*ones - sum.hashes
	}
	return v
}

// bits is SIM-4 and SIM-5.
func (sum *counting) bits() (bits uint64) {
	for _, v := range sum.counters() {
		bits <<= 1
		if v > 0 {
			bits |= 1
		}
	}
	return bits
}

// Simhash is step 8: the bits that token hashes give, and the counters. Without hashes there is no
// fingerprint (SIM-1).
func Simhash(hashes []uint64) (bits uint64, counters [64]int64) {
	var sum counting
	for _, hash := range hashes {
		sum.count(hash)
	}
	return sum.bits(), sum.counters()
}

// ----------------------------------------------------------------------------------------- minhash

const (
	numBins   = 64
	numRounds = 64
	numDraws  = numRounds + numBins // of an element, for a word
)

// draw is MIN-2.
func draw(x uint64, n int) uint64 {
	z := x + uint64(n+1)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Draw gives S(x, n): draw n, 0 to 511, of the element x (MIN-2).
func Draw(x uint64, n int) (uint64, error) {
	if n < 0 || n >= maxWords*numDraws {
		return 0, OutOfRange
	}
	return draw(x, n), nil
}

// bins is the state of a word: the winning draw of each bin, and its round.
type bins struct {
	first int // the number of draw 0 of the word
	last  int // the latest round of a winner; a draw of a later round cannot win
	round [numBins]uint8
	draw  [numBins]uint64
}

// add is MIN-3 and MIN-4.
func (b *bins) add(element uint64) {
	for r := 0; r <= b.last; r++ {
		y := draw(element, b.first+r)
		i := r - numRounds
		if r < numRounds {
			i = int(y >> 58)
		}
		before := int(b.round[i])
		if r > before || r == before && y >= b.draw[i] {
			continue
		}
		b.round[i], b.draw[i] = uint8(r), y
		if r < before && before >= b.last {
			b.last = min(numDraws-1, int(slices.Max(b.round[:])))
		}
	}
}

// MinHash computes the fingerprint of token hashes that come one by one, in any order and with
// repetitions, in constant memory.
type MinHash struct {
	label   string
	isEmpty bool
	words   []bins
}

// NewMinHash begins a fingerprint. The label is one of minhash-doc.
func NewMinHash(label string) (*MinHash, error) {
	label, err := ParseLabel(label)
	if err != nil {
		return nil, err
	}
	if !isMinhash(label) {
		return nil, InvalidLabel
	}
	return newMinHash(label), nil
}

func newMinHash(label string) *MinHash {
	m := &MinHash{label: label, isEmpty: true, words: make([]bins, wordsOf(label))}
	for w := range m.words {
		b := &m.words[w]
		b.first, b.last = w*numDraws, numDraws-1
		for i := range b.round {
			b.round[i] = numDraws
		}
	}
	return m
}

// Add adds a token hash.
func (m *MinHash) Add(hash uint64) {
	m.isEmpty = false
	for w := range m.words {
		m.words[w].add(hash)
	}
}

// Draws gives the winning draws, bin 0 of word 0 first. Without hashes there are none.
func (m *MinHash) Draws() []uint64 {
	draws := []uint64{}
	for w := range m.words {
		if !m.isEmpty {
			draws = append(draws, m.words[w].draw[:]...)
		}
	}
	return draws
}

// Fingerprint is that of all hashes up to now (MIN-5 to MIN-7).
func (m *MinHash) Fingerprint() Fingerprint {
	f := Fingerprint{label: m.label, exists: !m.isEmpty}
	for w := range m.words {
		for _, y := range m.words[w].draw {
			f.words[w] = f.words[w]<<1 | y&1
		}
	}
	return f
}

// ------------------------------------------------------------------------------------ fingerprints

// Fingerprint is a labelled fingerprint, or that of a document without one, like the zero value
// (SIM-1, MIN-6). Values are comparable with ==.
type Fingerprint struct {
	words  [maxWords]uint64 // those that the label does not have are 0
	label  string
	exists bool
}

// NewFingerprint labels the words of 64 bits of a fingerprint: four for minhash-doc-256, otherwise
// one.
func NewFingerprint(label string, words ...uint64) (Fingerprint, error) {
	label, err := ParseLabel(label)
	if err != nil {
		return Fingerprint{}, err
	}
	if len(words) != wordsOf(label) {
		return Fingerprint{}, OutOfRange
	}
	f := Fingerprint{label: label, exists: true}
	copy(f.words[:], words)
	return f, nil
}

// FromOctets labels the 8 or 32 octets of a fingerprint, in network byte order.
func FromOctets(label string, octets []byte) (Fingerprint, error) {
	if len(octets)%8 != 0 {
		return Fingerprint{}, OutOfRange
	}
	words := make([]uint64, len(octets)/8)
	for w := range words {
		words[w] = binary.BigEndian.Uint64(octets[8*w:])
	}
	return NewFingerprint(label, words...)
}

// Exists says whether the document has a fingerprint.
func (f Fingerprint) Exists() bool { return f.exists }

// Label is the label, in lower case.
func (f Fingerprint) Label() string { return f.label }

// Words gives the words of 64 bits, bit 0 the most significant (SIM-3): four of minhash-doc-256,
// otherwise one.
func (f Fingerprint) Words() ([]uint64, error) {
	if !f.exists {
		return nil, NoFingerprint
	}
	return slices.Clone(f.words[:wordsOf(f.label)]), nil
}

// Octets gives the 8 or 32 octets, in network byte order.
func (f Fingerprint) Octets() ([]byte, error) {
	words, err := f.Words()
	return toOctets(words...), err
}

// Truncate gives the minhash-doc fingerprint of the document that has this one of minhash-doc-256
// (MIN-8). Other labels are refused.
func (f Fingerprint) Truncate() (Fingerprint, error) {
	if !f.exists {
		return Fingerprint{}, NoFingerprint
	}
	if f.label != Minhash256Label {
		return Fingerprint{}, LabelMismatch
	}
	return NewFingerprint(MinhashLabel, f.words[0])
}

// Bare is the bare form (SER-1, MIN-9), or empty if there is no fingerprint.
func (f Fingerprint) Bare() string {
	octets, _ := f.Octets()
	return toBase32(octets)
}

// Hex is the hexadecimal form (SER-6, MIN-9), or empty if there is no fingerprint.
func (f Fingerprint) Hex() string {
	octets, _ := f.Octets()
	return hex.EncodeToString(octets)
}

// String is the labelled form (SER-7), or empty if there is no fingerprint.
func (f Fingerprint) String() string {
	if !f.exists {
		return ""
	}
	return f.label + ":" + f.Bare()
}

// --------------------------------------------------------------------------------------- serialise

func toOctets(words ...uint64) []byte {
	var octets []byte
	for _, word := range words {
		octets = binary.BigEndian.AppendUint64(octets, word)
	}
	return octets
}

func toBase32(octets []byte) string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(octets)
}

// ParseBare reads the bare form of a fingerprint with this label (SER-2 to SER-5, MIN-9).
func ParseBare(label, s string) (Fingerprint, error) {
	label, err := ParseLabel(label)
	if err != nil {
		return Fingerprint{}, err
	}
	octets := make([]byte, 8*wordsOf(label))
	length := (8*len(octets) + 4) / 5
	if padding := 7 - (length-1)%8; len(s) == length+padding {
		s = strings.TrimSuffix(s, "===="[:padding])
	}
	if len(s) != length {
		return Fingerprint{}, InvalidFingerprint
	}
	upper := []byte(s)
	for i, c := range upper {
		switch {
		case c >= 'a' && c <= 'z':
			upper[i] = c - 0x20
		case c < '2' || c > '7' && c < 'A' || c > 'Z': // also what the decoder would skip
			return Fingerprint{}, InvalidFingerprint
		}
	}
	if _, err := base32.StdEncoding.WithPadding(base32.NoPadding).Decode(octets, upper); err != nil {
		return Fingerprint{}, InvalidFingerprint
	}
	if toBase32(octets) != string(upper) { // a spare bit is 1
		return Fingerprint{}, InvalidFingerprint
	}
	return FromOctets(label, octets)
}

// Hex writes the hexadecimal form of 64 bits.
func Hex(word uint64) string { return fmt.Sprintf("%016x", word) }

// ParseHex reads the hexadecimal form of a fingerprint with this label (SER-6, MIN-9).
func ParseHex(label, s string) (Fingerprint, error) {
	label, err := ParseLabel(label)
	if err != nil {
		return Fingerprint{}, err
	}
	octets, err := hex.DecodeString(s)
	if err != nil || len(octets) != 8*wordsOf(label) {
		return Fingerprint{}, InvalidFingerprint
	}
	return FromOctets(label, octets)
}

// Parse reads the labelled form (LAB-2, LAB-4).
func Parse(s string) (Fingerprint, error) {
	label, bare, found := strings.Cut(s, ":")
	if !found {
		return Fingerprint{}, InvalidLabel
	}
	return ParseBare(label, bare)
}

// ----------------------------------------------------------------------------------------- compare

// Distance is the number of bits that differ in two words (CMP-3).
func Distance(a, b uint64) int { return bits.OnesCount64(a ^ b) }

// Comparison tells how near two fingerprints are.
type Comparison struct {
	Distance   int     // CMP-3, MIN-10: 0 to 64 or 256
	Similarity float64 // CMP-4, MIN-10
	Verdict    string  // "close", "loose" or "none" (CMP-6, CMP-5, MIN-10)
}

// Compare compares two fingerprints of one label (CMP-2, CMP-1).
func Compare(a, b Fingerprint) (Comparison, error) {
	if !a.exists || !b.exists {
		return Comparison{}, NoFingerprint
	}
	if a.label != b.label {
		return Comparison{}, LabelMismatch
	}
	c := Comparison{Verdict: "none"}
	for w := range a.words {
		c.Distance += Distance(a.words[w], b.words[w])
	}
	bits, close, loose := 64, 1, 6
	if a.label == Minhash256Label {
		bits, close, loose = 256, 5, 25
	}
	c.Similarity = 1 - float64(c.Distance)/float64(bits)
	if c.Distance <= close {
		c.Verdict = "close"
	} else if c.Distance <= loose {
		c.Verdict = "loose"
	}
	return c, nil
}

// ------------------------------------------------------------------------------------------ tables

// NumTables is the number of lookup tables.
const NumTables = 16

// front moves the field number i, counted from the most significant of four fields of the given
// width, before the three others.
func front(x uint64, i, width int) uint64 {
	below := (3 - i) * width
	field := x >> below & (1<<width - 1)
	others := x>>(below+width)<<below | x&(1<<below-1)
	return field<<(3*width) | others
}

// back undoes front.
func back(x uint64, i, width int) uint64 {
	below := (3 - i) * width
	field, others := x>>(3*width), x&(1<<(3*width)-1)
	return others>>below<<(below+width) | field<<below | others&(1<<below-1)
}

const low48 = 1<<48 - 1

// Permute gives the permuted fingerprint of a table (TAB-1, TAB-2, TAB-4); here and below, that of
// minhash-doc-256 is one of its words (MIN-11).
func Permute(fingerprint uint64, table int) (uint64, error) {
	if table < 0 || table >= NumTables {
		return 0, OutOfRange
	}
	x := front(fingerprint, table/4, 16)
	return x&^low48 | front(x&low48, table%4, 12), nil
}

// Unpermute undoes Permute.
func Unpermute(permuted uint64, table int) (uint64, error) {
	if table < 0 || table >= NumTables {
		return 0, OutOfRange
	}
	return back(permuted&^low48|back(permuted&low48, table%4, 12), table/4, 16), nil
}

// Key gives the key of a fingerprint in a table: the first 28 bits of the permuted one (TAB-3).
func Key(fingerprint uint64, table int) (uint32, error) {
	permuted, err := Permute(fingerprint, table)
	return uint32(permuted >> 36), err
}

// masks gives all numbers of the given width with exactly ones bits 1, in ascending order.
func masks(width, ones int) []uint32 {
	if ones == 0 {
		return []uint32{0}
	}
	var found []uint32
	for m := uint32(1)<<ones - 1; ones <= width && m < 1<<width; {
		found = append(found, m)
		low := m & -m
		carried := m + low
		m = carried | (m^carried)>>2/low
	}
	return found
}

// MaxProbeDistance is the largest k of Probes.
const MaxProbeDistance = 12

// Probes gives the keys of a table that find every entry within distance k, in ascending order
// (LKP-6, LKP-5). Above MaxProbeDistance it refuses with ErrTooMuchWork.
func Probes(fingerprint uint64, table, k int) ([]uint32, error) {
	key, err := Key(fingerprint, table)
	if err != nil {
		return nil, err
	}
	if k < 0 || k > 64 {
		return nil, OutOfRange
	}
	if k > MaxProbeDistance {
		return nil, ErrTooMuchWork
	}
	var probes []uint32
	for e1 := 0; e1 <= k/4; e1++ {
		for e2 := 0; e2 <= (k-e1)/4; e2++ {
			lower := masks(12, e2)
			for _, m1 := range masks(16, e1) {
				for _, m2 := range lower {
					probes = append(probes, key^(m1<<12|m2))
				}
			}
		}
	}
	slices.Sort(probes)
	return probes, nil
}

// DefaultDistance is the k to filter by where none is given (CMP-7).
const DefaultDistance = 3

// CompleteTo is the k up to which an Index answers completely (LKP-4).
const CompleteTo = 64

// Match is an entry that a lookup found.
type Match struct {
	ID          string
	Fingerprint Fingerprint
	Distance    int
}

// Index is a set of entries of one label in memory. A lookup compares with every entry, which takes
// about a millisecond for a million of them; Key, Permute and Probes serve an index in a database.
// An Index may be read by several goroutines, or changed by one.
type Index struct {
	label string
	at    map[string]int
	ids   []string
	words []uint64 // those of the first entry, then those of the second, and so on
}

// NewIndex makes an empty index.
func NewIndex(label string) (*Index, error) {
	label, err := ParseLabel(label)
	if err != nil {
		return nil, err
	}
	return &Index{label: label, at: map[string]int{}}, nil
}

// Add enters a document, and replaces an entry with the same identifier.
func (x *Index) Add(id string, f Fingerprint) error {
	switch {
	case !utf8.ValidString(id):
		return WrongType
	case id == "":
		return OutOfRange
	case !f.exists:
		return NoFingerprint // LKP-1
	case f.label != x.label:
		return LabelMismatch
	}
	n := wordsOf(x.label)
	if i, known := x.at[id]; known {
		copy(x.words[i*n:], f.words[:n])
		return nil
	}
	x.at[id] = len(x.ids)
	x.ids = append(x.ids, id)
	x.words = append(x.words, f.words[:n]...)
	return nil
}

// Lookup gives all entries within distance k (LKP-1 to LKP-4): of 256 bits those with a word within
// k of the same word of the query, with the distance of all bits (MIN-11).
func (x *Index) Lookup(query Fingerprint, k int) ([]Match, error) {
	switch {
	case !query.exists:
		return nil, NoFingerprint
	case k < 0 || k > CompleteTo:
		return nil, OutOfRange
	case query.label != x.label:
		return nil, LabelMismatch
	}
	matches := []Match{}
	n := wordsOf(x.label)
	for i, id := range x.ids {
		f := Fingerprint{label: x.label, exists: true}
		least, distance := 64, 0
		copy(f.words[:], x.words[i*n:(i+1)*n])
		for w := 0; w < n; w++ {
			d := Distance(f.words[w], query.words[w])
			least = min(least, d)
			distance += d
		}
		if least <= k {
			matches = append(matches, Match{id, f, distance})
		}
	}
	slices.SortFunc(matches, func(a, b Match) int {
		if a.Distance != b.Distance {
			return a.Distance - b.Distance
		}
		return strings.Compare(a.ID, b.ID) // by octets
	})
	return matches, nil
}
