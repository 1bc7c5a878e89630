// github.com/go-dedup/simhash: NewSimhash().GetSimhash(NewWordFeatureSet(octets)); a Feature of one's own has a hash of one's own.
package main

import "github.com/go-dedup/simhash"

type feature uint64

func (f feature) Sum() uint64 { return uint64(f) }
func (f feature) Weight() int { return 1 }

func main() {
	sh := simhash.NewSimhash()
	serve("go-dedup/simhash", "v0.0.0-20170904020510-9ecaca7b509c", map[string]operation{
		"fingerprint": func(in input) object {
			octets, ok := in.octets()
			if !ok {
				return nil
			}
			set := sh.NewWordFeatureSet(octets)
			hashes := []string{}
			for _, each := range set.GetFeatures() {
				hashes = append(hashes, hex16(each.Sum()))
			}
			return object{"fingerprint": hex16(sh.GetSimhash(set)), "hashes": hashes}
		},
		"tokenise": func(in input) object {
			return object{"tokens": simhash.Doc2words(*in.Text)}
		},
		"token-hash": func(in input) object {
			octets, _ := in.octets()
			return object{"hash": hex16(simhash.NewFeature(octets).Sum())}
		},
		"fingerprint-of-tokens": func(in input) object {
			tokens := [][]byte{}
			for _, token := range in.Tokens {
				tokens = append(tokens, []byte(token))
			}
			return object{"fingerprint": hex16(sh.SimhashBytes(tokens))}
		},
		"simhash": func(in input) object {
			features := []simhash.Feature{}
			for _, digits := range in.Hashes {
				features = append(features, feature(numberOf(digits)))
			}
			vector := sh.Vectorize(features)
			counters := []int{}
			for i := range vector {
				counters = append(counters, vector[63-i])
			}
			return object{"fingerprint": hex16(sh.Fingerprint(vector)), "counters": counters}
		},
		"distance": func(in input) object {
			return object{"distance": simhash.Compare(numberOf(*in.A), numberOf(*in.B))}
		},
	})
}
