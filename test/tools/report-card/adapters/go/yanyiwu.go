// github.com/yanyiwu/gosimhash: New(dictionaries…).MakeSimhash(text, 5), with the dictionaries of the module.
package main

import (
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/yanyiwu/gosimhash"
)

const version = "v0.10.0"

// The keywords that its example takes.
const keywords = 5

// dictionaries returns the folder of those of the module.
func dictionaries() string {
	folder, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		panic(err)
	}
	return filepath.Join(strings.TrimSpace(string(folder)), "github.com/yanyiwu/gosimhash@"+version, "dict")
}

func main() {
	folder := dictionaries()
	hasher := gosimhash.New(
		filepath.Join(folder, "jieba.dict.utf8"), filepath.Join(folder, "hmm_model.utf8"),
		filepath.Join(folder, "idf.utf8"), filepath.Join(folder, "stop_words.utf8"))
	serve("yanyiwu/gosimhash", version, map[string]operation{
		"fingerprint": func(in input) object {
			octets, ok := in.octets()
			if !ok {
				return nil
			}
			return object{"fingerprint": hex16(hasher.MakeSimhash(string(octets), keywords))}
		},
	})
}
