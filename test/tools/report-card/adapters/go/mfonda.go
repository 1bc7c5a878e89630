// github.com/mfonda/simhash: Simhash(NewWordFeatureSet(octets)); a Feature of one's own has a hash of one's own.
package main

import "github.com/mfonda/simhash"

type feature uint64

func (f feature) Sum() uint64 { return uint64(f) }
func (f feature) Weight() int { return 1 }

func main() {
	serve("mfonda/simhash", "v0.0.0-20151007195837-79f94a1100d6", map[string]operation{
		"fingerprint": func(in input) object {
			octets, ok := in.octets()
			if !ok {
				return nil
			}
			set := simhash.NewWordFeatureSet(octets)
			hashes := []string{}
			for _, each := range set.GetFeatures() {
				hashes = append(hashes, hex16(each.Sum()))
			}
			return object{"fingerprint": hex16(simhash.Simhash(set)), "hashes": hashes}
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
			return object{"fingerprint": hex16(simhash.SimhashBytes(tokens))}
		},
		"simhash": func(in input) object {
			features := []simhash.Feature{}
			for _, digits := range in.Hashes {
				features = append(features, feature(numberOf(digits)))
			}
			vector := simhash.Vectorize(features)
			counters := []int{}
			for i := range vector {
				counters = append(counters, vector[63-i])
			}
			return object{"fingerprint": hex16(simhash.Fingerprint(vector)), "counters": counters}
		},
		"distance": func(in input) object {
			return object{"distance": simhash.Compare(numberOf(*in.A), numberOf(*in.B))}
		},
	})
}
