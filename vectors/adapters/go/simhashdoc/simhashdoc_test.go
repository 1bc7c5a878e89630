// SPDX-License-Identifier: MIT

package simhashdoc_test

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"
	"time"

	"simhashdoc.example/adapter/simhashdoc"
)

func Example() {
	tables, err := simhashdoc.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	scheme, _ := tables.Scheme("simhash-doc")
	a := scheme.Fingerprint([]byte("\xEF\xBB\xBFCafe\u0301 No.\u00A05 (see https://example.org/menu) " +
		"serves soft\u00ADdrinks \xE2\x82 and H2O; café or Café?\n"))
	b, err := simhashdoc.Parse("simhash-doc:CVQMMBYFKSLCA")
	result, _ := simhashdoc.Compare(a, b)
	fmt.Println(a, err, result.Distance, result.Verdict)
	fmt.Println(scheme.Fingerprint([]byte("2024")).Exists())
	// Output:
	// simhash-doc:CVQMMBYFKSLCQ <nil> 1 close
	// false
}

const (
	fox     = "The quick brown fox jumps over the lazy dog."
	longFox = "EZEFOEQ2U2YJ7LG5UOZXYXVBMH7YDKPKR26BDSUOE5VLGHBGL6WQ"
)

func fingerprint(t *testing.T, label, text string) simhashdoc.Fingerprint {
	t.Helper()
	tables, err := simhashdoc.Load()
	if err != nil {
		t.Fatal(err)
	}
	scheme, err := tables.Scheme(label)
	if err != nil {
		t.Fatal(err)
	}
	return scheme.FingerprintText(text)
}

// Published values of minhash-doc, and its strings.
func TestMinhash(t *testing.T) {
	for n, want := range []uint64{6457827717110365317, 3203168211198807973} {
		if got, err := simhashdoc.Draw(1234567, n); got != want || err != nil {
			t.Errorf("S(1234567, %d) = %d, %v", n, got, err)
		}
	}
	if _, err := simhashdoc.Draw(1, 512); err != simhashdoc.OutOfRange {
		t.Errorf("S(1, 512): %v", err)
	}
	for text, want := range map[string]string{
		fox: "EZEFOEQ2U2YJ6", "a": "GEIVFIXBGPOBK", "東京タワーへ行く。": "6LZYUFY5IMGIW", "hello world": "DBH7LFUXLLC6E",
		"123": "",
	} {
		f := fingerprint(t, "MinHash-Doc", text)
		if f.Bare() != want {
			t.Errorf("%s: %s, not %s", text, f, want)
		}
		if cut, err := fingerprint(t, "minhash-doc-256", text).Truncate(); f.Exists() && (cut != f || err != nil) {
			t.Errorf("%s, truncated: %s, %v", text, cut, err)
		}
	}
	f := fingerprint(t, "minhash-doc-256", fox)
	if f.Bare() != longFox || len(f.Hex()) != 64 {
		t.Error(f, f.Hex())
	}
	for _, read := range []string{longFox, strings.ToLower(longFox), longFox + "===="} {
		if got, err := simhashdoc.Parse("MinHash-Doc-256:" + read); got != f || err != nil {
			t.Error(read, got, err)
		}
	}
	for _, read := range []string{
		"", longFox[:13], longFox[:51], longFox[:51] + "R", longFox[:51] + "Y", longFox[:51] + "\n", longFox + "=",
		longFox + "===", longFox + "=====", longFox + "\n",
	} {
		if got, err := simhashdoc.ParseBare("minhash-doc-256", read); err != simhashdoc.InvalidFingerprint {
			t.Errorf("%q: %v, %v", read, got, err)
		}
	}
	if got, err := simhashdoc.ParseHex("minhash-doc-256", strings.ToUpper(f.Hex())); got != f || err != nil {
		t.Error(got, err)
	}
	for _, label := range []string{"minhash-doc+bg1", "minhash-doc-256+bg1", "minhash-doc-64"} {
		if _, err := simhashdoc.ParseLabel(label); err != simhashdoc.InvalidLabel {
			t.Error(label, err)
		}
	}
}

// The winning draws are those of the first wording of the definition, bin by bin.
func TestDraws(t *testing.T) {
	draw := func(x uint64, n int) uint64 {
		y, _ := simhashdoc.Draw(x, n)
		return y
	}
	for _, n := range []int{1, 2, 5, 300, 2000} {
		var elements []uint64
		m, err := simhashdoc.NewMinHash("minhash-doc-256")
		if err != nil || len(m.Draws()) != 0 || m.Fingerprint().Exists() {
			t.Fatal(err)
		}
		for i := 0; i < n; i++ {
			elements = append(elements, draw(uint64(i/512), i%512))
			m.Add(elements[i])
			m.Add(elements[0])
		}
		got := m.Draws()
		words, _ := m.Fingerprint().Words()
		for i := 0; i < 256; i++ {
			var drawn []uint64
			for r := 0; r < 64 && len(drawn) == 0; r++ {
				for _, x := range elements {
					if y := draw(x, i/64*128+r); y>>58 == uint64(i%64) {
						drawn = append(drawn, y)
					}
				}
			}
			if len(drawn) == 0 {
				for _, x := range elements {
					drawn = append(drawn, draw(x, i/64*128+64+i%64))
				}
			}
			if want := slices.Min(drawn); got[i] != want || words[i/64]>>(63-i%64)&1 != want&1 {
				t.Fatalf("%d elements, bin %d: %x, not %x", n, i, got[i], want)
			}
		}
	}
}

// 256 bits are compared as a whole, and found by any of their words.
func TestLong(t *testing.T) {
	make := func(words ...uint64) simhashdoc.Fingerprint {
		f, err := simhashdoc.NewFingerprint("minhash-doc-256", words...)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	query := make(0, 0, 0, 0)
	index, err := simhashdoc.NewIndex("minhash-doc-256")
	if err != nil {
		t.Fatal(err)
	}
	for d := 0; d <= 256; d++ {
		var words [4]uint64
		for i := 0; i < d; i++ {
			words[i%4] |= 1 << (i / 4)
		}
		verdict := "none"
		if d <= 5 {
			verdict = "close"
		} else if d <= 25 {
			verdict = "loose"
		}
		want := simhashdoc.Comparison{Distance: d, Similarity: 1 - float64(d)/256, Verdict: verdict}
		if got, err := simhashdoc.Compare(query, make(words[:]...)); got != want || err != nil {
			t.Error(got, err, want)
		}
		if err := index.Add(fmt.Sprint(d), make(words[:]...)); err != nil {
			t.Error(err)
		}
	}
	for _, k := range []int{0, 3, 64} {
		matches, err := index.Lookup(query, k)
		if err != nil || len(matches) != min(4*k+4, 257) {
			t.Error(k, len(matches), err)
		}
		for d, m := range matches {
			words, _ := m.Fingerprint.Words()
			if m.Distance != d || m.ID != fmt.Sprint(d) || bits.OnesCount64(words[3]) > k {
				t.Error(k, d, m)
			}
		}
	}
}

// The library composes code points beyond U+FFFF by their lower 16 bits.
func TestBeyondBMP(t *testing.T) {
	tables, err := simhashdoc.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"\U00010041\u0301", "\U00010041\u0301"},
		{"\U00010041\u0323\u0301a\u0323", "\U00010041\u0323\u0301\u1ea1"},
		{"\U00011099\U000110ba", "\U0001109a"},
		{"\U0001109a\u0301", "\U0001109a\u0301"},
		{"\U00020041\u0301", "\U00020041\u0301"},
	} {
		if got := tables.Normalise(c[0]); got != c[1] {
			t.Errorf("%+q: expected %+q, got %+q", c[0], c[1], got)
		}
	}
}

// Long runs of code points that combine are put in NFC without U+034F, and in linear time.
func TestLongRuns(t *testing.T) {
	tables, err := simhashdoc.Load()
	if err != nil {
		t.Fatal(err)
	}
	const n = 200000
	repeat := func(s string) string { return strings.Repeat(s, n) }
	for name, c := range map[string][2]string{
		"equal marks":     {"e" + repeat("\u0301"), "é" + strings.Repeat("\u0301", n-1)},
		"unsorted marks":  {"e" + repeat("\u0301\u0323"), "\u1EB9" + strings.Repeat("\u0323", n-1) + repeat("\u0301")},
		"Hangul vowels":   {"\u1100" + repeat("\u1162"), "\uAC1C" + strings.Repeat("\u1162", n-1)},
		"vowel signs":     {"\u0995\u09C7" + repeat("\u09BE"), "\u0995\u09CB" + strings.Repeat("\u09BE", n-1)},
		"leading marks":   {repeat("\u0344"), repeat("\u0308\u0301")},
		"short sequences": {repeat("e\u0323\u0302\u0301"), repeat("ệ\u0301")},
	} {
		start := time.Now()
		if tables.Normalise(c[0]) != c[1] {
			t.Errorf("%s: wrong", name)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: %v", name, d)
		} else {
			t.Log(name, d)
		}
	}
}
