// SPDX-License-Identifier: MIT

package simhashdoc_test

import (
	"fmt"
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
	distance, _ := simhashdoc.Compare(a, b)
	fmt.Println(a, err, distance, simhashdoc.Verdict(distance))
	fmt.Println(scheme.Fingerprint([]byte("2024")).Exists())
	// Output:
	// simhash-doc:CVQMMBYFKSLCQ <nil> 1 close
	// false
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
