// Goroutines, interfaces, closures, defer and recover, maps and switches over Go's runtime.
package main

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
	"sync"
)

type shape interface {
	area() float64
	name() string
}

type square struct{ side float64 }
type circle struct{ radius float64 }

func (s square) area() float64  { return s.side * s.side }
func (s square) name() string   { return "square" }
func (c *circle) area() float64 { return c.radius * c.radius * 3.14159 }
func (c *circle) name() string  { return "circle" }

var errNegative = errors.New("negative")

//go:noinline
func classify(x int) string {
	switch x {
	case 0:
		return "zero"
	case 1, 2:
		return "few"
	case 3:
		return "three"
	case 4:
		return "four"
	case 5:
		return "five"
	case 6:
		return "six"
	case 7:
		return strings.Repeat("seven", x)
	case 8:
		return fmt.Sprint(x)
	case 9:
		return "nine"
	}
	return "many"
}

//go:noinline
func guarded(x int) (result string, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("recovered: %v", problem)
		}
	}()
	if x < 0 {
		return "", errNegative
	}
	table := []string{"a", "b", "c"}
	return table[x] + classify(x), nil
}

func main() {
	shapes := []shape{square{3}, &circle{2}}
	sort.Slice(shapes, func(i, j int) bool { return shapes[i].area() < shapes[j].area() })
	counts := map[string]int{}
	var group sync.WaitGroup
	var lock sync.Mutex
	for _, word := range os.Args {
		group.Add(1)
		go func(word string) {
			defer group.Done()
			text, err := guarded(len(word))
			lock.Lock()
			defer lock.Unlock()
			if err != nil {
				counts[err.Error()]++
				return
			}
			counts[text]++
		}(word)
	}
	group.Wait()
	for _, one := range shapes {
		fmt.Println(one.name(), one.area(), counts)
	}
}
